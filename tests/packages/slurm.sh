#!/usr/bin/env bash
# Slurm on one node, run by inside.sh, with a host name of its own: `srun --mpi=pmix`, `--mpi=pmi2`, a batch script, and a
# launch without MPI.  Its processes end with the namespace they are in.
set -uo pipefail
failed=0
cd /given || exit 1
# shellcheck source=/dev/null
source /given/checks.sh

hostname node
echo '127.0.0.1 localhost node' > /etc/hosts
check 'Slurm, both MPIs' apt install slurmctld slurmd slurm-client munge openmpi-bin mpich libpmix-dev # its plug-in opens libpmix.so
mkdir -p /run/munge /cgroups /var/spool/slurmd /var/spool/slurmctld
chown munge:munge /run/munge
check 'munged' su -s /bin/sh munge -c 'munged --force'
cat > /etc/slurm/slurm.conf <<'CONF'
ClusterName=weft
SlurmctldHost=node(127.0.0.1)
SlurmUser=root
SlurmctldPort=16817
SlurmdPort=16818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SlurmdSpoolDir=/var/spool/slurmd
StateSaveLocation=/var/spool/slurmctld
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=node NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
printf 'CgroupPlugin=cgroup/v1\nCgroupMountpoint=/cgroups\n' > /etc/slurm/cgroup.conf
ulimit -n 4096
check 'slurmctld' slurmctld -L /var/log/slurmctld.log
check 'slurmd' slurmd -L /var/log/slurmd.log

weft convert karate.txt cluster.weft -q
weft degree cluster.weft -q -o cluster.tsv
check 'srun --mpi=pmix' timeout 60 srun --mpi=pmix -n 3 weft degree cluster.weft -o pmix.tsv
check 'the same bytes as alone' cmp cluster.tsv pmix.tsv
check 'srun --mpi=pmi2' timeout 60 srun --mpi=pmi2 -n 2 weft degree cluster.weft -o pmi2.tsv
check 'the same bytes as alone' cmp cluster.tsv pmi2.tsv
gives 'srun without MPI is refused' '*srun started 2 tasks without MPI*' timeout 60 srun --mpi=none -n 2 weft degree cluster.weft
printf '%s\n' '#!/bin/sh' '#SBATCH --nodes=1 --ntasks-per-node=2 --cpus-per-task=1' 'srun --mpi=pmix weft degree /given/cluster.weft -o /given/batch.tsv' > job.sh
check 'a batch script' timeout 60 sbatch --wait job.sh
check 'the same bytes as alone' cmp cluster.tsv batch.tsv
exit $failed
