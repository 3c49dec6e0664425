# A substitute for postgres:17-bookworm, with the part of its start that the compose file uses.
FROM fanvas-substitute:trixie
RUN mkdir -p /etc/postgresql-common && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf \
  && apt-get update && apt-get install --yes --no-install-recommends postgresql-17 \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* \
  && install --directory --owner=postgres --group=postgres --mode=700 /var/lib/postgresql/data \
  && install --directory --owner=postgres --group=postgres --mode=2775 /var/run/postgresql
ENV PATH=/usr/lib/postgresql/17/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  PGDATA=/var/lib/postgresql/data LANG=C.UTF-8
COPY postgres-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
ENTRYPOINT ["bash", "/usr/local/bin/docker-entrypoint.sh"]
STOPSIGNAL SIGINT
CMD ["postgres"]
