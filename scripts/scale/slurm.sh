#!/usr/bin/env bash
# Slurm: a job array in which each task checks a shard, and a job that merges the reports once all have ended. The controller, the node and
# munge, which signs their messages, all run here. Shows that the merged report equals that of one run.
#
#   scripts/scale/slurm.sh [TASKS] [MEGABYTES]      4 tasks and 20 MB unless given
#
# Needs root, Debian's slurmctld, slurmd, slurm-client and munge, and what `npm run build` makes. All that it starts has its files in a
# temporary folder, listens on ports of its own, and is stopped at the end.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
tasks=${1:-4}
make_data "${2:-20}" 10
[ "$(id -u)" -eq 0 ] || { echo 'slurmd needs root' >&2; exit 1; }
port=$((20000 + RANDOM % 20000))
node=$(hostname -s)
munged=$(program munged) slurmctld=$(program slurmctld) slurmd=$(program slurmd)

chmod 755 "$work"
mkdir -m 755 munge; mkdir state spool
head -c 1024 /dev/urandom > munge.key; chmod 600 munge.key
cat > slurm.conf <<END
ClusterName=scale
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$work/munge/socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1
MinJobAge=300
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$work/slurm.conf
started=()
stop() {
  # The node first: it tells the controller.
  for pid in "${started[@]}"; do kill "$pid" 2> /dev/null || :; done
  for pid in "${started[@]}"; do wait "$pid" 2> /dev/null || :; done
}
start() { "$@" > /dev/null 2>> start.err & started=($! "${started[@]}"); }
start "$munged" --foreground --force --socket="$work/munge/socket" --pid-file="$work/munge/pid" --seed-file="$work/munge/seed" \
  --key-file="$work/munge.key" --log-file="$work/munge/log"
start "$slurmctld" -D -f slurm.conf
start "$slurmd" -D -f slurm.conf -N "$node"
for ((i = 0; i < 300; i++)); do [ "$(sinfo -h -o %T 2> /dev/null || :)" = idle ] && break; sleep 0.1; done
[ "$(sinfo -h -o %T)" = idle ] || { echo 'the node did not come up' >&2; tail -n 20 ./*.log >&2; exit 1; }

paylint validate in --format ndjson > one.report || [ $? -eq 1 ]
array=$(sbatch --parsable --output=/dev/null --array="1-$tasks" --wrap \
  "$work/paylint validate in --shard \$SLURM_ARRAY_TASK_ID/$tasks --format ndjson > \$SLURM_ARRAY_TASK_ID.report || [ \$? -eq 1 ]")
sbatch --wait --output=/dev/null --dependency="afterok:$array" --kill-on-invalid-dep=yes --wrap \
  "$work/paylint render [0-9]*.report --format ndjson > merged.report || [ \$? -eq 1 ]" > /dev/null
same "report of $tasks tasks, merged by a job that depends on them" one.report merged.report
