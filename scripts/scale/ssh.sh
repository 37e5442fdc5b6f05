#!/usr/bin/env bash
# GNU parallel over ssh: an ssh server on the loopback takes the place of the other machines. Each file is sent to a worker, its report comes back, and
# nothing stays there. Shows that the merged reports equal that of one run.
#
#   scripts/scale/ssh.sh [WORKERS] [MEGABYTES] [FILES]      2 workers and 20 MB in 10 files unless given
#
# Needs GNU parallel, rsync, OpenSSH's server and client, and what `npm run build` makes. The server listens on 127.0.0.1 alone, takes one key,
# which is made for it, and is stopped at the end.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
workers=${1:-2}
make_data "${2:-20}" "${3:-10}"
port=$((20000 + RANDOM % 20000))
sshd=$(program sshd)

ssh-keygen -q -t ed25519 -N '' -f host_key
ssh-keygen -q -t ed25519 -N '' -f user_key
cp user_key.pub authorized
cat > sshd_config <<END
Port $port
ListenAddress 127.0.0.1
HostKey $work/host_key
AuthorizedKeysFile $work/authorized
PidFile $work/sshd.pid
PasswordAuthentication no
PermitRootLogin prohibit-password
StrictModes no
UsePAM no
MaxStartups 100
END
cat > ssh_config <<END
Host worker
  HostName 127.0.0.1
  Port $port
  User $(id -un)
  IdentityFile $work/user_key
  IdentitiesOnly yes
  UserKnownHostsFile $work/known
  StrictHostKeyChecking accept-new
  LogLevel ERROR
END
# The server of root wants this folder, which packages of Debian make when a service starts.
[ "$(id -u)" -ne 0 ] || [ -d /run/sshd ] || { mkdir -m 755 /run/sshd; made=/run/sshd; }
stop() {
  [ ! -s "$work/sshd.pid" ] || kill "$(cat "$work/sshd.pid")"
  [ -z "${made:-}" ] || rmdir "$made"
}
"$sshd" -f sshd_config -E sshd.log
for ((i = 0; i < 50; i++)); do ssh -F ssh_config worker true 2> ssh.err && break; sleep 0.1; done
ssh -F ssh_config worker true

paylint validate in --format ndjson > one.report || [ $? -eq 1 ]
mkdir there
find in -name '*.ndjson' | sort > files
# The workers have a folder of their own, so that nothing is found there that was not sent.
parallel --will-cite --ssh "ssh -F $work/ssh_config" --sshlogin "$workers/worker" --workdir "$work/there" \
  --transferfile {} --return {}.report --cleanup \
  "$work/paylint validate {} --format ndjson > {}.report || [ \$? -eq 1 ]" < files
find in -name '*.report' -exec "$work/paylint" render --format ndjson {} + > merged.report || [ $? -eq 1 ]
same "reports of $(wc -l < files) files sent over ssh to $workers workers, merged" one.report merged.report
if [ -d there ]; then echo "left on the other machine: $(find there -type f | wc -l) files"; fi
