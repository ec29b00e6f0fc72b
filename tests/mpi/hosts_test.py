# SPDX-License-Identifier: Apache-2.0
"""Four hosts in network namespaces, joined by a bridge of 1 Gbit/s and 1 ms: the same results over TCP, a host that dies
ends the run, and a cut link does so within a minute. Skipped where namespaces are not permitted."""
import os
import signal
import subprocess
import sys
import time

from runs import MPI, Case, cut, foldout, foldout_mpi, main, np

HOSTS = 4
NAME = f"fo{os.getpid() % 10000}"


def ip(*arguments, check=True):
    return subprocess.run(["ip", *arguments], check=check, capture_output=True, text=True)


def shape(namespace, device):
    """As much as the kernel can: delay and rate, or the rate."""
    for discipline in (["netem", "delay", "1ms", "rate", "1gbit"],
                       ["tbf", "rate", "1gbit", "burst", "1mb", "latency", "10ms"]):
        done = subprocess.run(["tc", "-n", namespace, "qdisc", "add", "dev", device, "root", *discipline],
                              capture_output=True, text=True)
        if done.returncode == 0:
            return
    print(f"{device} is not shaped: {done.stderr.strip()}")


def set_up():
    """Namespaces NAME-0 … with an interface each on the bridge NAMEb; returns whether this is permitted."""
    try:
        ip("link", "add", f"{NAME}b", "type", "bridge")
        ip("link", "set", f"{NAME}b", "up")
        for i in range(HOSTS):
            namespace, outer, inner = f"{NAME}-{i}", f"{NAME}o{i}", f"{NAME}i{i}"
            ip("netns", "add", namespace)
            ip("link", "add", outer, "type", "veth", "peer", "name", inner)
            ip("link", "set", outer, "master", f"{NAME}b", "up")
            ip("link", "set", inner, "netns", namespace)
            ip("-n", namespace, "addr", "add", f"10.77.0.{i + 1}/24", "dev", inner)
            ip("-n", namespace, "link", "set", inner, "up")
            ip("-n", namespace, "link", "set", "lo", "up")
            shape(namespace, inner)
    except (OSError, subprocess.CalledProcessError) as error:
        print("skipped: network namespaces are not available:", getattr(error, "stderr", error))
        return False
    return True


def kill_all(namespace):
    """Ends the processes of a host, all of them of this test; returns how many."""
    pids = ip("netns", "pids", namespace).stdout.split()
    for pid in map(int, pids):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return len(pids)


def tear_down():
    for i in range(HOSTS):
        ip("netns", "del", f"{NAME}-{i}", check=False)
    ip("link", "del", f"{NAME}b", check=False)


# mpirun starts a daemon on each host by this instead of ssh. A host name of its own keeps ranks from sharing memory.
AGENT = f"""#!/bin/sh
host=$1; shift
number=${{host##*.}}
exec ip netns exec {NAME}-$((number - 1)) unshare --uts sh -c "hostname host$number; $*"
"""


class Hosts(Case):
    def setUp(self):
        super().setUp()
        agent = self.folder / "agent"
        agent.write_text(AGENT)
        agent.chmod(0o755)
        hosts = self.folder / "hosts"
        hosts.write_text("".join(f"10.77.0.{i + 1} slots=1\n" for i in range(HOSTS)))
        self.command = ["ip", "netns", "exec", f"{NAME}-0", "unshare", "--uts", "sh", "-c",
                        'hostname host1; exec "$@"', "_", "mpirun", "-n", str(HOSTS), "--hostfile", str(hosts),
                        "--mca", "plm_rsh_agent", str(agent), "--mca", "btl", "self,tcp", "--mca",
                        "btl_tcp_if_include", "10.77.0.0/24", "--mca", "oob_tcp_if_include", "10.77.0.0/24",
                        "--mca", "oob_tcp_keepalive_time", "5", "--mca", "oob_tcp_keepalive_intvl", "5", "--mca",
                        "oob_tcp_keepalive_probes", "3", MPI]

    def run_on_hosts(self, *arguments, timeout=120):
        return subprocess.run([*self.command, *map(str, arguments)], capture_output=True, text=True, timeout=timeout)

    def test_same_bytes_over_tcp(self):
        roll = self.data("swiss_roll", 6000, "--seed", 1)
        shards = cut(roll, self.folder / "shards", [1000, 3000])
        for spec in (("--method", "ltsa", "--dictionary", "lcdl:n_atoms=80,max_iterations=3"), ("--method", "lle")):
            foldout("fit", self.folder / "all.npy", "-o", self.folder / "single", *spec)
            done = self.run_on_hosts("fit", shards, "-o", self.folder / "shared", *spec)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assert_same_bytes(self.folder / "single", self.folder / "shared")
        done = self.run_on_hosts("transform", self.folder / "shared", shards, "-o", self.folder / "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        foldout("transform", self.folder / "single", self.folder / "all.npy", "-o", self.folder / "y.npy")
        placed = np.concatenate([np.load(path) for path in sorted((self.folder / "out").glob("*.npy"))])
        np.testing.assert_array_equal(placed, np.load(self.folder / "y.npy"))

    def long_fit(self):
        samples = np.random.default_rng(0).normal(size=(20000, 20))
        self.shards = cut(samples, self.folder / "shards", [7000, 14000])
        self.spec = ("--method", "ltsa", "--dictionary", "lcdl:n_atoms=300,max_iterations=80,coding_tau=4,locality=0.1")
        np.save(self.folder / "all.npy", samples)
        foldout("fit", self.folder / "all.npy", "-o", self.folder / "single", *self.spec)
        self.kept, self.model = self.folder / "kept", self.folder / "model"
        process = subprocess.Popen([*self.command, "fit", self.shards, "-o", str(self.model), "--checkpoint",
                                    str(self.kept), *self.spec], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        deadline = time.monotonic() + 120
        while not (self.kept / "atoms.npy").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertTrue((self.kept / "atoms.npy").exists(), "no iteration was kept")
        return process

    def end_of(self, process, within):
        start = time.monotonic()
        process.communicate(timeout=within + 60)
        self.assertLess(time.monotonic() - start, within)
        self.assertNotEqual(process.returncode, 0)
        self.assertFalse(self.model.exists())

    def goes_on(self, run):
        """The same fit, from the atoms that were kept, has the bytes of one that was not interrupted."""
        done = int(np.load(self.kept / "atoms.npy")[0, 0] - 2) // 2
        self.assertGreater(done, 0)
        self.assertLess(done, 80)
        again = run("fit", self.shards, "-o", self.model, "--checkpoint", self.kept, *self.spec)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assert_same_bytes(self.folder / "single", self.model)

    def test_a_host_that_dies_ends_the_run(self):
        process = self.long_fit()
        self.assertGreater(kill_all(f"{NAME}-2"), 0)
        self.end_of(process, 5)
        self.goes_on(self.run_on_hosts)

    def test_a_cut_link_ends_the_run(self):
        process = self.long_fit()
        ip("link", "set", f"{NAME}o3", "down")
        self.end_of(process, 60)
        kill_all(f"{NAME}-3")  # those beyond the cut
        ip("link", "set", f"{NAME}o3", "up")
        self.goes_on(lambda *arguments: foldout_mpi(2, *arguments, check=False))  # without the hosts


if not set_up():
    tear_down()
    sys.exit(77)
try:
    main()
finally:
    tear_down()
