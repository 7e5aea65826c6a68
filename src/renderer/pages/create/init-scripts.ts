/** Templates of init scripts, without secrets; their names are in messages/en/creation.ts. */
export const initScripts = {
  cuda: `#!/bin/bash
# Writes what the driver, CUDA and the GPUs say to /var/log/cuda-check.log.
set -u
exec > /var/log/cuda-check.log 2>&1
date --iso-8601=seconds
nvidia-smi
nvidia-smi --query-gpu=index,name,memory.total,driver_version --format=csv
nvcc --version || echo "nvcc is not installed"
`,
  jupyter: `#!/bin/bash
# JupyterLab on loopback only: reach it through an SSH tunnel to port 8888. It makes its own token.
set -eu
apt-get update
apt-get install -y python3-venv
python3 -m venv /opt/jupyter
/opt/jupyter/bin/pip install --upgrade pip jupyterlab
user=$(getent passwd 1000 | cut -d: -f1)
cat > /etc/systemd/system/jupyter.service <<UNIT
[Unit]
Description=JupyterLab on loopback
After=network-online.target

[Service]
User=$user
WorkingDirectory=/home/$user
ExecStart=/opt/jupyter/bin/jupyter lab --ip=127.0.0.1 --port=8888 --no-browser
Restart=on-failure

[Install]
WantedBy=multi-user.target
UNIT
systemctl daemon-reload
systemctl enable --now jupyter
`,
  volume: `#!/bin/bash
# Mounts a data volume at /data. A volume without a file system gets one; one that has data keeps it.
set -eu
device=/dev/vdb
for second in $(seq 120); do [ -b "$device" ] && break; sleep 1; done
[ -b "$device" ] || { echo "$device did not appear"; exit 1; }
blkid "$device" || mkfs.ext4 -L data "$device"
mkdir -p /data
echo "UUID=$(blkid -s UUID -o value "$device") /data auto defaults,nofail 0 2" >> /etc/fstab
mount /data
`,
  cloudConfig: `#cloud-config
package_update: true
packages:
  - git
  - tmux
  - htop
runcmd:
  - [nvidia-smi, -pm, '1']
`,
} as const
export type InitScript = keyof typeof initScripts
