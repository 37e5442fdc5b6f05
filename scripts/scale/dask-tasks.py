"""What docs/guides/scale.md says of Dask: shards of files, and blocks of one file, as tasks of a cluster whose address is the first argument; the second is how
many shards there are. A task that fails is run again."""
import os
import signal
import subprocess
import sys

from dask.bytes import read_bytes
from dask.distributed import Client


def share(k, n):
    """Checks a shard. Its report is written whole or not at all."""
    report = f"reports/{k}.report"
    command = ["paylint", "validate", "in", "--shard", f"{k}/{n}", "--threads", "1", "--exit-zero", "--format", f"ndjson={report}"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return report


def valid(block):
    """The valid payloads of a block of whole lines."""
    command = ["paylint", "filter", "--input", "lines", "--threads", "1", "--exit-zero", "--allow-empty", "--quiet"]
    return subprocess.run(command, input=block, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def failing_once(k, n):
    """As `share`, but the worker of the second shard is killed at its first attempt."""
    if k == 2 and not os.path.exists("was-killed"):
        open("was-killed", "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return share(k, n)


if __name__ == "__main__":
    client = Client(sys.argv[1])
    n = int(sys.argv[2])
    reports = client.gather(client.map(failing_once, range(1, n + 1), [n] * n, retries=2, pure=False))
    subprocess.run(["paylint", "render", *reports, "--exit-zero", "--format", "ndjson=merged.report"], check=True, stdout=subprocess.DEVNULL)

    _, blocks = read_bytes("all.ndjson", delimiter=b"\n", blocksize="4 MiB", sample=False)
    with open("blocks.out", "wb") as out:
        for lines in client.gather(client.map(valid, client.compute(blocks[0]))):
            out.write(lines)
    print(f"{len(blocks[0])} blocks")
