import sys
from pathlib import Path

import torch
import torch.nn as nn

_BUILD = Path(__file__).resolve().parent / "kernel" / "build"
if str(_BUILD) not in sys.path:
    sys.path.insert(0, str(_BUILD))

import _elu_ext  # noqa: E402


class ModelNew(nn.Module):
    def __init__(self, alpha: float = 1.0):
        super().__init__()
        self.alpha = float(alpha)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        y = torch.zeros_like(x)
        _elu_ext.run_elu(
            x.data_ptr(), y.data_ptr(), x.numel(), self.alpha, x.dtype == torch.float16
        )
        return y
