import { judgePython } from "./judge-python.ts";
import { plainDataPython } from "./plain-data-python.ts";
import { programPython } from "./program-python.ts";

/**
 * What a child of Python (3.8 or later, standard library only) runs to judge a program. Before it knows anything it splits:
 * the new process runs the program under limits, the old one reads the task, runs the tests under the same limits, and
 * says the verdict. So nothing of the program runs where the verdict is made: printing, exiting, replacing `check`,
 * `assert` or a builtin, or returning an object that equals everything does not help it.
 *
 * Arguments: memory in bytes, seconds, the program's folder. Standard input: `{ program, prompt, entryPoint, test }`.
 * File 3 gets one JSON value a line: the program's process id, then `[reason, detail, alive]`.
 */
export const harness = `
import builtins, json, os, resource, signal, sys, types

MEMORY, SECONDS, FOLDER = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
LONGEST = 16_000_000
LIMITS = {"AS": MEMORY, "CPU": SECONDS, "FSIZE": 1_000_000, "NOFILE": 32, "NPROC": 1, "CORE": 0}
# Numbers that systems give to nobody; a pair for each judge, so that programs cannot reach each other either.
USER = 60578 + os.getpid() % 303 * 2

sys.path[:] = [place for place in sys.path if place]
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)


def confine(user):
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    for name, most in LIMITS.items():
        try:
            # The soft limit of time sends a signal that a program may ignore; the hard one kills.
            resource.setrlimit(getattr(resource, "RLIMIT_" + name), (most, most + 1 if name == "CPU" else most))
        except (AttributeError, ValueError, OSError):
            pass  # A system without this limit, or with a lower one.


def close_to_others():
    # As the same user a program could otherwise write into the memory and files of its judge (PR_SET_DUMPABLE).
    try:
        import ctypes
        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
    except Exception:
        pass  # Linux only.
${plainDataPython}
${programPython}
${judgePython}

if os.getuid() == 0:
    os.chown(FOLDER, USER, USER)
else:
    close_to_others()
asks_read, asks_write = os.pipe()
answers_read, answers_write = os.pipe()
child = os.fork()
# Should nobody be left to stop them, they stop by themselves.
signal.alarm(SECONDS + 3)
if child == 0:
    try:
        # Its own session: it can neither leave its group nor reach that of the judge.
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for file in 0, 1, 2, 3:
            os.dup2(nothing, file)
        os.close(asks_write)
        os.close(answers_read)
        os.chdir(FOLDER)
        confine(USER)
        serve(os.fdopen(asks_read, "rb"), os.fdopen(answers_write, "wb"))
    finally:
        os._exit(0)
os.close(asks_read)
os.close(answers_write)
report = os.fdopen(3, "wb")
send(report, child)
program = Program(child, os.fdopen(asks_write, "wb"), os.fdopen(answers_read, "rb"))
try:
    confine(USER + 1)
    reason, detail = judge(program, json.loads(sys.stdin.buffer.read()))
except OSError as error:
    reason, detail = "unstarted", f"cannot give up the rights of root: {error}"
send(report, [reason, detail[:500], program.alive])
if program.alive:
    os.waitpid(child, 0)
os._exit(0)
`;
