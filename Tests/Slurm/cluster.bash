# A Slurm cluster of three nodes on this machine, for Tests/Slurm/run: one controller and a slurmd for each node, with
# a munge of its own, ports of its own and all files in $cluster. Accounting is off. Sourced by bash.

# start_cluster FOLDER MAX_ARRAY_SIZE
start_cluster() {
  cluster=$1
  mkdir -p "$cluster"/{state,log,spool}
  local user; user=$(id -un)
  chmod 755 "$cluster"
  # munge insists on a folder that only its user can write.
  mkdir -p -m 0755 "$cluster/munge"
  head -c 1024 /dev/urandom >"$cluster/munge/key"
  chmod 400 "$cluster/munge/key"
  munged --force --socket="$cluster/munge/socket" --key-file="$cluster/munge/key" \
    --pid-file="$cluster/munge/pid" --log-file="$cluster/munge/log" --seed-file="$cluster/munge/seed"
  local port=$((20000 + RANDOM % 20000))
  export SLURM_CONF=$cluster/slurm.conf
  cat >"$SLURM_CONF" <<CONF
ClusterName=kfrec
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket
CredType=cred/munge
SlurmctldPort=$port
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.%n.pid
SlurmctldLogFile=$cluster/log/slurmctld.log
SlurmdLogFile=$cluster/log/slurmd.%n.log
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$cluster/log/jobs
JobRequeue=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
MaxArraySize=$2
MpiDefault=none
ReturnToService=2
InactiveLimit=0
KillWait=5
NodeName=n[1-3] NodeHostName=$(hostname -s) NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 3))] CPUs=1 RealMemory=500 State=UNKNOWN
PartitionName=low Nodes=n[1-3] Default=YES MaxTime=60 State=UP PriorityTier=1
PartitionName=high Nodes=n[1-3] MaxTime=60 State=UP PriorityTier=2
CONF
  slurmctld -c || return 1
  local node
  for node in n1 n2 n3; do slurmd -N "$node" || return 1; done
  local try
  for try in $(seq 60); do
    [ "$(sinfo --noheader --format=%T%D 2>/dev/null)" = idle3 ] && return 0
    sleep 0.5
  done
  sinfo >&2
  tail -20 "$cluster"/log/*.log >&2
  return 1
}

# Ends exactly the processes of this cluster, by the files with their numbers.
stop_cluster() {
  local file try
  scancel --me >/dev/null 2>&1
  for try in $(seq 40); do
    [ -z "$(squeue --noheader 2>/dev/null)" ] && break
    sleep 0.5
  done
  for file in "$cluster"/slurmd.*.pid "$cluster"/slurmctld.pid "$cluster"/munge/pid; do
    [ -s "$file" ] && kill "$(cat "$file")" 2>/dev/null
  done
  sleep 1
}
