# A substitute for haproxy:3.0-bookworm.
FROM fanvas-substitute:trixie
RUN apt-get update && apt-get install --yes --no-install-recommends haproxy && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
USER haproxy
STOPSIGNAL SIGUSR1
CMD ["haproxy", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
