/**
 * The side that runs the program (Python source): loads it, then answers calls of its function until nobody asks. It knows
 * neither the tests nor the verdict; whatever the program does to it changes only what it answers.
 */
export const programPython = `
def run(source, name, space):
    # Programs and tests that draw at random draw the same each time.
    if "random" in source:
        import random
        random.seed(0)
    exec(compile(source, name, "exec"), space)


def run_prompt(prompt, space):
    # What the prompt imports and defines is there for the program and for the tests.
    try:
        run(prompt, "<prompt>", space)
    except SyntaxError:
        pass  # A prompt need not be a program.


def raised(error):
    # The text of a KeyError would be quoted once more when it is raised again.
    text = error.args[0] if len(error.args) == 1 else error
    return {"raised": [type(error).__name__, str(text)[:500]]}


def serve(asks, answers):
    job = json.loads(asks.readline())
    entry = job["entryPoint"]
    send(answers, "ready")
    module = types.ModuleType("program")
    sys.modules["program"] = module
    try:
        run_prompt(job["prompt"], module.__dict__)
        # The unfinished function must not stand in for one that the program lacks.
        module.__dict__.pop(entry, None)
        run(job["program"], "<program>", module.__dict__)
        if entry not in module.__dict__:
            raise NameError(f"the program defines no {entry}")
        function = module.__dict__[entry]
        send(answers, "loaded")
    except BaseException as error:
        send(answers, raised(error))
    for line in asks:
        try:
            args, named = decode(json.loads(line))
            result = function(*args, **named)
            send(answers, {"returned": encode([result, list(args)])})
        except BaseException as error:
            send(answers, raised(error))
`;
