/**
 * How values travel between the judge and the program (Python source): plain data as JSON, where what JSON lacks is a list
 * that begins with its kind. Nothing else gets through, so an object that claims to equal everything stays where it is.
 */
export const plainDataPython = String.raw`
def encode(value):
    kind = type(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, dict):
        return ["dict", [[encode(key), encode(item)] for key, item in value.items()]]
    for base in (list, tuple, set, frozenset):
        if isinstance(value, base):
            return [base.__name__, [encode(item) for item in value]]
    if kind in (type({}.keys()), type({}.items())):
        return ["set", [encode(item) for item in value]]
    if hasattr(value, "__next__") or kind in (range, type({}.values())):
        return ["iter", [encode(item) for item in value]]
    if kind in (bytes, bytearray):
        return [kind.__name__, value.hex()]
    if kind is complex:
        return ["complex", [value.real, value.imag]]
    if (kind.__module__, kind.__name__) in (("decimal", "Decimal"), ("fractions", "Fraction")):
        return [kind.__name__, str(value)]
    raise TypeError(f"{kind.__name__} is not plain data")


def decode(value):
    if not isinstance(value, list):
        return value
    kind, content = value
    if kind == "dict":
        return {decode(key): decode(item) for key, item in content}
    if kind in ("list", "tuple", "set", "frozenset", "iter"):
        return getattr(builtins, kind)([decode(item) for item in content])
    if kind in ("bytes", "bytearray"):
        return getattr(builtins, kind).fromhex(content)
    if kind == "complex":
        return complex(*content)
    if kind == "Decimal":
        from decimal import Decimal
        return Decimal(content)
    if kind == "Fraction":
        from fractions import Fraction
        return Fraction(content)
    raise ValueError(f"no plain data: {kind}")


def send(stream, message):
    stream.write(json.dumps(message).encode() + b"\n")
    stream.flush()
`;
