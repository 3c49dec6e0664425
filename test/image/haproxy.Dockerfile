# Stands in for haproxy:3.0-bookworm.
FROM fanvas-stand-in:trixie
RUN apt-get update && apt-get install --yes --no-install-recommends haproxy && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
USER haproxy
STOPSIGNAL SIGUSR1
CMD ["haproxy", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
