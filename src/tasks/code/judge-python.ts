/**
 * The side that runs the tests and gives the verdict (Python source). Calls of the function under test go to the program's
 * side; what comes back is data.
 */
export const judgePython = String.raw`
class Ended(BaseException):
    """The program cannot be asked any more."""


class Program:
    def __init__(self, child, asks, answers):
        self.child, self.asks, self.answers = child, asks, answers
        self.alive, self.calls, self.end, self.raised = True, 0, None, None

    def finish(self, reason, detail):
        self.end = (reason, detail)
        raise Ended()

    def send(self, message):
        try:
            send(self.asks, message)
        except OSError:
            pass  # It is gone: reading says how.

    def receive(self):
        line = self.answers.readline(LONGEST)
        if line == b"":
            self.finish(*self.fate())
        if not line.endswith(b"\n"):
            self.finish("error", "the program returned too much")
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            self.finish("error", "what the program returned cannot be read")

    def fate(self):
        status = os.waitpid(self.child, 0)[1]
        self.alive = False
        if not os.WIFSIGNALED(status):
            return "error", "the program ended the process it runs in"
        number = os.WTERMSIG(status)
        if number in (signal.SIGXCPU, signal.SIGALRM):
            return "timeout", f"the program ran longer than {SECONDS} s"
        return "error", f"the program was ended by signal {number}"

    def __call__(self, *args, **named):
        if self.end:
            raise Ended()
        self.calls += 1
        self.send(encode([list(args), named]))
        reply = self.receive()
        try:
            if "raised" in reply:
                self.raised = to_exception(*reply["raised"])
            else:
                result, after = decode(reply["returned"])
                put_back(args, after)
                return result
        except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError):
            self.finish("error", "what the program returned cannot be read")
        raise self.raised


def put_back(args, after):
    # What the function did to its arguments is seen by the test, as if it ran here.
    for old, new in zip(args, after):
        if type(old) is list and type(new) is list:
            old[:] = new
        elif type(old) is type(new) and type(old) in (dict, set):
            old.clear()
            old.update(new)


def to_exception(name, text):
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, Exception):
        try:
            return kind(text)
        except TypeError:
            pass  # It takes more than a text.
    return RuntimeError(f"{name}: {text}")


def describe(error):
    return f"{type(error).__name__}: {error}".rstrip(": ")


def failed_line(error, test):
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<test>":
            line = trace.tb_lineno
        trace = trace.tb_next
    return test.splitlines()[line - 1].strip() if line else describe(error)


def run_tests(program, job):
    entry, test = job["entryPoint"], job["test"]
    program.send({key: job[key] for key in ("program", "prompt", "entryPoint")})
    if program.receive() != "ready":
        program.finish("unstarted", "the process for the program did not begin")
    reply = program.receive()
    if reply != "loaded":
        program.raised = to_exception(*reply["raised"])
        raise program.raised
    space = types.ModuleType("test").__dict__
    run_prompt(job["prompt"], space)
    space[entry] = program
    run(test, "<test>", space)
    # Some tests only define check, others have called it by now.
    if program.calls == 0 and callable(space.get("check")):
        space["check"](program)
    if program.calls == 0:
        program.finish("error", f"the test never calls {entry}")


def judge(program, job):
    try:
        run_tests(program, job)
    except Ended:
        pass
    except BaseException as error:
        if isinstance(error, MemoryError):
            program.end = program.end or ("memory", describe(error))
        elif isinstance(error, AssertionError) and error is not program.raised:
            program.end = program.end or ("wrong", failed_line(error, job["test"]))
        else:
            program.end = program.end or ("error", describe(error))
    # A test may have caught what told it of the program's end.
    return program.end or ("passed", "")
`;
