"""Makes the oracle numbers in this folder with PyTorch: python3 make-oracle.py

The credit network as torch.nn modules (Linear, GRUCell), a loss with every term training uses, its gradients, and
steps of Adam and AdamW. Computed in 64 bits from weights that are exact in 32.
"""
import json
import pathlib

import torch

torch.set_default_dtype(torch.float64)
here = pathlib.Path(__file__).parent


def exact(*shape, scale=1.0, generator):
    """Random numbers that 32-bit floats hold exactly."""
    return (torch.randn(*shape, generator=generator) * scale).float().double()


def tensors(named):
    return {name: {"shape": list(t.shape), "data": t.flatten().tolist()} for name, t in named}


def credit_gru(heads):
    g = torch.Generator().manual_seed(7)
    B, N, T, D, P, S, H, Y, clamp = 2, 3, 3, 11, 4, 3, 5, 4, 6.0
    R = B * N
    embed = torch.nn.Linear(D, P, bias=False)
    gru = torch.nn.GRUCell(P + S, H)
    communicate = torch.nn.Linear(H, 1)
    decide = communicate if heads == "shared" else torch.nn.Linear(H, 1)
    named = [("embed.weight", embed.weight)]
    named += [(f"gru.{k}", getattr(gru, k)) for k in ["weight_ih", "weight_hh", "bias_ih", "bias_hh"]]
    named += [("communicate.weight", communicate.weight), ("communicate.bias", communicate.bias)]
    if heads == "two":
        named += [("decide.weight", decide.weight), ("decide.bias", decide.bias)]
    for name, parameter in named:
        # Heads are large, so that the clamp bends credits.
        parameter.data = exact(*parameter.shape, scale=4 if "weight" in name and "gru" not in name else 0.7, generator=g)
    weights = tensors(named)

    e = exact(T, R, D, generator=g) * (torch.rand(T, R, D, generator=g) < 0.4)
    e[1, 2] = 0
    s = exact(T, R, S, generator=g)
    z = (torch.rand(T - 1, R, generator=g) < 0.5).double()
    counted = (torch.rand(T - 1, R, generator=g) < 0.8).double()
    advantage = exact(B, generator=g)
    solutions = torch.nn.functional.one_hot(torch.randint(Y, (B, N), generator=g), Y).double()
    solutions[0, 0, 1] = solutions[1, 0, 2] = 1  # so that the gold answers have support
    gold = [1, 2]

    h = torch.zeros(R, H)
    c_communicate, c_decide = [], []
    for t in range(T):
        h = gru(torch.cat([embed(e[t]), s[t]], 1), h)
        c_communicate.append(clamp * torch.tanh(communicate(h)[:, 0] / clamp))
        c_decide.append(clamp * torch.tanh(decide(h)[:, 0] / clamp))
    c_communicate, c_decide = torch.stack(c_communicate), torch.stack(c_decide)

    # REINFORCE in the rounds, entropy bonus, cross-entropy of the soft vote at the end.
    bernoulli = torch.distributions.Bernoulli(logits=c_communicate[: T - 1])
    log_pi = (bernoulli.log_prob(z) * counted).reshape(T - 1, B, N).sum((0, 2))
    entropy = (bernoulli.entropy() * counted).sum()
    share = torch.einsum("bn,bny->by", torch.sigmoid(c_decide[T - 1]).reshape(B, N), solutions)
    share = share / share.sum(1, keepdim=True)
    vote = -torch.log(torch.stack([share[b, gold[b]] for b in range(B)])).mean()
    loss = -(advantage * log_pi).mean() - 0.01 * entropy + vote
    loss.backward()
    gradients = tensors([(name, parameter.grad) for name, parameter in named])

    torch.optim.Adam([parameter for _, parameter in named], lr=0.01).step()
    write(f"credit-gru-{heads}", {
        "torch": torch.__version__,
        "config": {"kind": "credit-gru", "embedding": D, "projection": P, "scalars": ["a", "b", "c"], "hidden": H,
                   "heads": heads, "clamp": clamp},
        "agents": N, "steps": T, "rows": R, "weights": weights,
        "embeddings": e.reshape(T * R, D).tolist(), "scalars": s.flatten().tolist(),
        "participants": z.tolist(), "counted": counted.tolist(), "advantages": advantage.tolist(),
        "solutions": solutions.tolist(), "gold": gold,
        "communicate": c_communicate.tolist(), "decide": c_decide.tolist(),
        "loss": loss.item(), "gradients": gradients, "afterAdam": tensors(named),
    })


def adam():
    g = torch.Generator().manual_seed(8)
    start = {"a": exact(3, 2, generator=g), "b": exact(4, generator=g)}
    gradients = [{"a": exact(3, 2, generator=g), "b": exact(4, scale=100, generator=g)} for _ in range(5)]
    runs = []
    for settings in [{"learningRate": 0.02}, {"learningRate": 0.02, "weightDecay": 0.1},
                     {"learningRate": 0.003, "beta1": 0.8, "beta2": 0.99, "epsilon": 1e-6, "maxNorm": 1.0}]:
        parameters = {k: torch.nn.Parameter(v.clone()) for k, v in start.items()}
        optimiser = torch.optim.AdamW(
            parameters.values(), lr=settings["learningRate"], weight_decay=settings.get("weightDecay", 0),
            betas=(settings.get("beta1", 0.9), settings.get("beta2", 0.999)), eps=settings.get("epsilon", 1e-8))
        norms = []
        for step in gradients:
            for k, v in step.items():
                parameters[k].grad = v.clone()
            norms.append(torch.nn.utils.clip_grad_norm_(parameters.values(), settings.get("maxNorm", 1e30)).item())
            optimiser.step()
        runs.append({"settings": settings, "norms": norms, "weights": tensors(parameters.items())})
    write("adam", {"torch": torch.__version__, "start": tensors(start.items()),
                   "gradients": [tensors(step.items()) for step in gradients], "runs": runs})


def write(name, value):
    (here / f"{name}.json").write_text(json.dumps(rounded(value)) + "\n")


def rounded(value):
    if isinstance(value, float):
        return float(f"{value:.10g}")
    if isinstance(value, list):
        return [rounded(v) for v in value]
    return {k: rounded(v) for k, v in value.items()} if isinstance(value, dict) else value


credit_gru("two")
credit_gru("shared")
adam()
