# SPDX-License-Identifier: GPL-3.0-or-later
"""The loop: every round goes over all jobs, every job runs all legs in turn.

The order of the legs is reversed from job to job and from round to round
(A B, B A, A B, …), so that neither a drift of the machine nor what ran before
favours one side. The portable-C leg is measured in every second round.
"""
from . import speed, watch
from .plan import Sample
from .raw import LEG

# above this no software on one core is credible; openssl speed counts failed calls
MOST_CALLS = 3e8
MOST_BYTES = 2e11
OVERHEAD = 0.045           # seconds per process beside the slots
STRETCH = 3.0
ATTEMPTS = 3               # where this program was too late to take the time


class Bench:
    def __init__(self, target, conf, legs, jobs, rounds, seconds, core, evpbench, cpus,
                 raw=None):
        self.target, self.conf, self.legs = target, conf, legs
        self.jobs, self.rounds, self.seconds = jobs, rounds, seconds
        self.core, self.evpbench, self.cpus, self.raw = core, evpbench, cpus, raw
        self.waited = self.measured = 0.0
        self.round_no = self.rounds_done = 0
        self.stopped = ""          # why it ended early
        self.begun = self.deadline = None
        self.jobs_done = 0

    def stretch(self):
        """How much longer a slot may last to get its share of a busy core.

        Not at all once the run is behind the time that was promised.
        """
        if self.deadline is None:
            return STRETCH
        share = (self.jobs_done + 1) / max(1, len(self.jobs) * self.rounds)
        behind = watch.clock() - self.begun > share * (self.deadline - self.begun)
        return 1.0 if behind else STRETCH

    def legs_of(self, round_no, index):
        legs = [leg for leg in self.legs
                if leg.id != "portable" or round_no % 2 == 0 or len(self.legs) == 2]
        return legs if (round_no + index) % 2 == 0 else legs[::-1]

    def run(self, progress, deadline=None):
        """Fill the cells. PROGRESS has round(n), job(job, leg), done(job), tick()."""
        self.begun, self.deadline = watch.clock(), deadline
        for round_no in range(self.rounds):
            begun, self.round_no = watch.clock(), round_no
            progress.round(round_no)
            for index, job in enumerate(self.jobs):
                for leg in self.legs_of(round_no, index):
                    progress.job(job, leg)
                    self.one(job, leg, progress.tick)
                self.with_raw(job, progress)
                progress.done(job)
                self.jobs_done += 1
            self.rounds_done = round_no + 1
            now = watch.clock()
            if deadline and self.rounds_done < self.rounds and now + (now - begun) > deadline:
                self.stopped = (f"stopped after {self.rounds_done} of {self.rounds} rounds "
                                "to keep to the time promised")
                break

    def one(self, job, leg, tick):
        wanted = {what: cell for what, cell in job.cells.items() if leg.id not in cell.reasons}
        if not wanted:
            return
        if job.tool == "evpbench":
            self.with_evpbench(job.first, leg)
        else:
            self.with_speed(job, leg, wanted, tick)

    def with_speed(self, job, leg, wanted, tick):
        cell = job.first
        args = [*leg.options, *cell.row.speed]     # options end at the first name
        if cell.size:
            args = ["-bytes", str(cell.size), *args]
        for _ in range(ATTEMPTS):
            run = speed.Run(self.target, args, self.conf, self.core, self.seconds, tick,
                            self.stretch())
            slots = {slot.what: slot for slot in run.collect(wanted)}
            if all(slot.trusted for slot in slots.values()):
                break
        for what, cell in wanted.items():
            slot = slots.get(what)
            if slot is None or slot.count <= 0:
                cell.fail(leg.id, run.error or "openssl speed gave no figure")
                cell.samples.pop(leg.id, None)
                continue
            self.keep(cell, leg, Sample(slot.rate, slot.count, slot.seconds, slot.waited,
                                       self.round_no))

    def with_evpbench(self, cell, leg):
        found, error = self.evpbench.measure(cell.row, cell.size, leg, self.seconds, self.cpus,
                                             self.stretch())
        if error:
            cell.fail(leg.id, error)
            cell.samples.pop(leg.id, None)
            return
        self.keep(cell, leg, Sample(found["rate"], found["count"],
                                    found["seconds"] - found["waited"], found["waited"],
                                    self.round_no, found.get("single", 0.0)))

    def with_raw(self, job, progress):
        """wolfCrypt's own figure, right after those that it is compared with."""
        if self.raw is None or not self.raw.serves(job.first):
            return
        cell = job.first
        progress.job(job, LEG)
        rate, error = self.raw.measure(cell, self.round_no)
        if error:
            cell.fail(LEG.id, error)
            cell.samples.pop(LEG.id, None)
            return
        cell.samples.setdefault(LEG.id, []).append(Sample(rate, 0, 0.0, 0.0, self.round_no))

    def keep(self, cell, leg, sample):
        if sample.rate > MOST_CALLS or sample.rate * cell.size > MOST_BYTES * cell.row.threads:
            cell.fail(leg.id, "implausibly fast: its calls seem to fail")
            cell.samples.pop(leg.id, None)
            return
        self.measured += sample.seconds + sample.waited
        self.waited += sample.waited
        cell.samples.setdefault(leg.id, []).append(sample)


def slots_per_round(jobs, legs):
    """(slots, processes) of an average round, for the estimate of the time."""
    slots = processes = 0.0
    for job in jobs:
        for leg in legs:
            live = [cell for cell in job.cells.values() if leg.id not in cell.reasons]
            if live:
                share = 0.5 if leg.id == "portable" and len(legs) > 2 else 1
                runs = 2 if job.first.row.threads > 1 else 1
                slots += share * runs * len(live)
                processes += share * runs
    return slots, processes


def seconds_for(budget, jobs, legs, rounds, least=0.05, most=0.5):
    """The longest slot with which ROUNDS rounds keep to BUDGET seconds."""
    slots, processes = slots_per_round(jobs, legs)
    if not slots:
        return most
    free = budget / rounds - processes * OVERHEAD
    return round(min(most, max(least, free / slots)), 3)


def estimate(jobs, legs, rounds, seconds):
    slots, processes = slots_per_round(jobs, legs)
    return rounds * (slots * seconds + processes * OVERHEAD)
