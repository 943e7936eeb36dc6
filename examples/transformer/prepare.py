"""Makes everything in `data/` except its README: weights, sequences, and what PyTorch says of them.

    python -m pip install --no-deps -r requirements.txt    # `sapiens` and `promb` are read as files, not imported
    python prepare.py                                      # writes data/, prints the figures of data/README.md

The weights are those of Sapiens (heavy chains), a masked language model of human antibodies: four blocks of a
RoBERTa encoder. They were trained in f16, so f16 holds them without loss. The sequences are the human germline
genes of the same kind of protein in Swiss-Prot.
"""

import argparse
import gzip
import hashlib
import re
from importlib.metadata import files
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from torch.nn.functional import gelu, layer_norm

DATA = Path(__file__).parent / "data"
TOKENS = ["<s>", "<pad>", "</s>", "<unk>", *"ACDEFGHIKLMNPQRSTVWY", "<mask>"]
START, END, MASK = 0, 2, 24
PERIOD = 7  # every seventh residue is masked, as many as in training (15 %)
HEADS = 8


def packaged(package, suffix):
    """The path of a file of an installed package."""
    (found,) = [file.locate() for file in files(package) if str(file).endswith(suffix)]
    return found


def weights():
    """The checkpoint's tensors, by shorter names."""
    torch.serialization.add_safe_globals([argparse.Namespace])
    checkpoint = torch.load(packaged("sapiens", "checkpoint_vh.pt"), map_location="cpu", weights_only=True)["model"]
    # The last product is by the embedding's weights.
    assert checkpoint["decoder.lm_head.weight"].equal(checkpoint["decoder.sentence_encoder.embed_tokens.weight"])
    renamed = {
        re.sub(r"decoder\.(sentence_encoder\.)?", "", name): t
        for name, t in checkpoint.items()
        if name != "decoder.lm_head.weight"
    }
    assert all(t.equal(t.half().float()) for t in renamed.values())
    return renamed


def genes():
    """The functional human heavy variable genes: `{name: residues}`, without the signal peptide."""
    with gzip.open(packaged("promb", "uniprot_sprot_human.fasta.gz"), "rt") as file:
        records = file.read().split(">")[1:]
    found = {}
    for record in records:
        head, *lines = record.splitlines()
        if match := re.search(r"\|(\w+)_HUMAN Immunoglobulin heavy variable", head):
            residues = "".join(lines)
            # The chain begins 21 residues before its first cysteine; the signal peptide before it has 15 to 30.
            start = re.search(r"(?<=[SACGT])[QERL].{20}C", residues[15:]).start() + 15
            assert 15 <= start <= 30 and len(residues) - start < 105, (match[1], start)
            found[match[1]] = residues[start:]
    return found


def tokenised(residues):
    """A chain as tokens; `*` is a masked residue."""
    return torch.tensor([START, *(MASK if r == "*" else TOKENS.index(r) for r in residues), END])


def masked(residues):
    """`PERIOD` copies of a chain as tokens; each residue is masked in one of them."""
    tokens = tokenised(residues).repeat(PERIOD, 1)
    for row in range(PERIOD):
        tokens[row, 1 + row : -1 : PERIOD] = MASK
    return tokens


def norm(x, model, name):
    """A layer norm in f32, rounded to the dtype of `x`."""
    weight, bias = model[f"{name}.weight"], model[f"{name}.bias"]
    return layer_norm(x.float(), weight.shape, weight, bias).to(x.dtype)


def linear(x, model, name):
    return x @ model[f"{name}.weight"].T + model[f"{name}.bias"]


def forward(model, tokens):
    """The logits of each token, in f32."""
    x = model["embed_tokens.weight"][tokens] + model["embed_positions.weight"][2 : 2 + tokens.shape[1]]
    x = norm(x, model, "emb_layer_norm")
    rows, length, size = x.shape
    for layer in range(4):
        at = f"layers.{layer}"
        queries, keys, values = (
            linear(x, model, f"{at}.self_attn.{part}_proj").view(rows, length, HEADS, -1).transpose(1, 2)
            for part in "qkv"
        )
        scores = queries.float() @ keys.float().mT / (size // HEADS) ** 0.5
        mixed = scores.softmax(-1).to(x.dtype) @ values
        mixed = linear(mixed.transpose(1, 2).reshape(rows, length, size), model, f"{at}.self_attn.out_proj")
        x = norm(x + mixed, model, f"{at}.self_attn_layer_norm")
        hidden = gelu(linear(x, model, f"{at}.fc1"))
        x = norm(x + linear(hidden, model, f"{at}.fc2"), model, f"{at}.final_layer_norm")
    x = norm(gelu(linear(x, model, "lm_head.dense")), model, "lm_head.layer_norm")
    return x.float() @ model["embed_tokens.weight"].float().T + model["lm_head.bias"]


def evaluate(model, chains):
    """For each chain, the mean of `-ln p` of its masked residues, and how many of them are the most likely ones."""
    losses, hits, logits = [], [], []
    for residues in chains.values():
        tokens, rows = tokenised(residues).repeat(PERIOD, 1), masked(residues)
        hidden = rows == MASK
        scores, truth = forward(model, rows)[hidden], tokens[hidden]
        losses.append(torch.nn.functional.cross_entropy(scores, truth).item())
        hits.append((scores.argmax(-1) == truth).sum().item())
        logits.append(scores)
    return torch.tensor(losses), torch.tensor(hits), logits[0]


def check_published(model):
    """The scores that the README of Sapiens prints for a chain whose first residues are masked."""
    chain = (
        "**QLV*SGVEVKKPGASVKVSCKASGYTFTNYYMYWVRQAPGQGLEWMGGINPSNGGTNFNEKFKNRVTLTTDSSTTTAYMELKSLQFDDTAVYYCARRDYRFDMGFDYWGQGTTVTVSS"
    )
    scores = forward(model, tokenised(chain)[None]).softmax(-1)[0, 1:3, 4:8]
    published = [[0.003272, 0.004147, 0.004011, 0.004590], [0.012038, 0.003854, 0.006803, 0.008174]]
    torch.testing.assert_close(scores, torch.tensor(published), rtol=0, atol=1e-6)


def main():
    full, chains = weights(), genes()
    # Norms and the last bias stay in f32.
    mixed = {n: t if "layer_norm" in n or n == "lm_head.bias" else t.bfloat16() for n, t in full.items()}
    with torch.no_grad():
        check_published(full)
        losses, hits, logits = evaluate(full, chains)
        losses_bf16, hits_bf16, _ = evaluate(mixed, chains)
    lengths = torch.tensor([len(residues) for residues in chains.values()])
    for name, loss, hit in (("f32", losses, hits), ("bf16", losses_bf16, hits_bf16)):
        perplexity = ((loss.double() * lengths).sum() / lengths.sum()).exp()
        print(f"{name}: perplexity {perplexity:.4f}, {hit.sum()} of {lengths.sum()} residues")

    DATA.mkdir(exist_ok=True)
    save_file({n: t.half().contiguous() for n, t in full.items()}, DATA / "model.safetensors")
    expected = {"logits": logits, "loss": losses, "loss_bf16": losses_bf16, "hits": hits, "hits_bf16": hits_bf16}
    save_file({n: t.contiguous() for n, t in expected.items()}, DATA / "expected.safetensors")
    (DATA / "chains.txt").write_text("".join(f"{name} {residues}\n" for name, residues in chains.items()))
    for path in sorted(DATA.iterdir()):
        print(f"| `{path.name}` | {path.stat().st_size} | `{hashlib.sha256(path.read_bytes()).hexdigest()}` |")


if __name__ == "__main__":
    main()
