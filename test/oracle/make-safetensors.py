"""Makes safetensors.json with the format's own library: pip install safetensors numpy; python3 make-safetensors.py"""
import base64
import json
import pathlib

import numpy as np
import safetensors
from safetensors.numpy import save

single = {"gru.bias_ih": np.array([0.5, -1.25, 3e-8], np.float32), "größe": np.arange(6, dtype=np.float32).reshape(2, 3)}
mixed = {"double": np.array([0.1, -2.0]), "int": np.array([[7], [-8]], np.int32), "long": np.array(9, np.int64)}
files = {
    "single": base64.b64encode(save(single, {"trainer": '{"step": 3}'})).decode(),
    "mixed": base64.b64encode(save(mixed)).decode(),
}
path = pathlib.Path(__file__).parent / "safetensors.json"
path.write_text(json.dumps({"safetensors": safetensors.__version__, **files}) + "\n")
