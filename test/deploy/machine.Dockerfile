# An empty machine: Debian with the programs that its installer puts on each one, and the certificates of the machine
# that runs the test, because its packages may come by a mirror.
FROM fanvas-substitute:trixie
ENV DEBIAN_FRONTEND=noninteractive
RUN apt-get update && apt-get install --yes --no-install-recommends systemd-sysv dbus ca-certificates iproute2
COPY ca-certificates.crt /usr/local/share/ca-certificates/of-the-test.crt
RUN update-ca-certificates && systemctl mask systemd-sysctl.service
# systemd 257 needs the version 2 of control groups, which this mounts also where the kernel mounts the version 1.
CMD ["sh", "-c", "umount --recursive /sys/fs/cgroup; mount -t cgroup2 cgroup2 /sys/fs/cgroup && exec /sbin/init"]
STOPSIGNAL SIGRTMIN+3
