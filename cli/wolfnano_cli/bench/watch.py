# SPDX-License-Identifier: GPL-3.0-or-later
"""The clock and the core.

`openssl speed` counts its time in ticks of 10 ms, too coarse for slots shorter
than a second, so a slot is timed from here: from the line that announces it to
the line that reports its count. From that the time is taken off in which the
process was runnable but another one had its core (the scheduler's own account,
/proc/PID/schedstat), so that a busy machine disturbs the figures less.
"""
import glob
import os
import time


def clock():
    return time.monotonic()


def waited(pid):
    """Seconds that PID's main thread has spent runnable but not running; None if unknown."""
    try:
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return None


def cpu_ticks():
    """{cpu: (busy, steal, total)} in ticks, from /proc/stat."""
    table = {}
    try:
        with open("/proc/stat", encoding="ascii") as file:
            for line in file:
                head, *numbers = line.split()
                if head.startswith("cpu") and head != "cpu":
                    values = [int(number) for number in numbers[:8]]
                    idle, steal = values[3] + values[4], values[7]
                    table[int(head[3:])] = (sum(values) - idle - steal, steal, sum(values))
    except (OSError, ValueError, IndexError):
        pass
    return table


def quietest_core(allowed, look=0.25):
    """The core among ALLOWED that did least in the last moments (the highest wins a tie)."""
    before = cpu_ticks()
    time.sleep(look)
    after = cpu_ticks()

    def busy(cpu):
        if cpu not in before or cpu not in after:
            return 0
        return after[cpu][0] - before[cpu][0]
    return min(sorted(allowed, reverse=True), key=busy)


def steal_share(before, after, cpus):
    """Share of the time that the hypervisor gave to others, over CPUS."""
    stolen = total = 0
    for cpu in cpus:
        if cpu in before and cpu in after:
            stolen += after[cpu][1] - before[cpu][1]
            total += after[cpu][2] - before[cpu][2]
    return stolen / total if total else 0.0


def allowed_cpus():
    return sorted(os.sched_getaffinity(0))


def pin(pid, cpus):
    try:
        os.sched_setaffinity(pid, cpus)
        return True
    except OSError:
        return False


def step_aside(core):
    """Keep this process off the measured core, where there is another."""
    others = set(allowed_cpus()) - {core}
    if others:
        pin(0, others)


def machine():
    """What the figures depend on: processor, kernel, frequency policy, load."""
    facts = {"cpu": "", "cores": os.cpu_count(), "kernel": os.uname().release,
             "arch": os.uname().machine, "governor": "", "virtual": False,
             "load": [round(value, 2) for value in os.getloadavg()]}
    flags = []
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                key, _, value = (part.strip() for part in line.partition(":"))
                if key in ("model name", "Model", "uarch") and not facts["cpu"]:
                    facts["cpu"] = value
                elif key in ("cpu family", "model") and value.isdigit():
                    facts.setdefault("cpu_" + key.split()[-1], int(value))
                elif key in ("flags", "Features", "isa") and not flags:
                    flags = value.split()
    except OSError:
        pass
    wanted = ("aes", "pclmulqdq", "avx", "avx2", "bmi2", "adx", "sha_ni", "vaes",
              "vpclmulqdq", "avx512f", "avx512ifma", "pmull", "sha1", "sha2",
              "sha3", "sha512", "sve")
    facts["features"] = [flag for flag in wanted if flag in flags]
    facts["virtual"] = "hypervisor" in flags
    for path in glob.glob("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"):
        try:
            with open(path, encoding="ascii") as file:
                facts["governor"] = file.read().strip()
        except OSError:
            pass
    return facts
