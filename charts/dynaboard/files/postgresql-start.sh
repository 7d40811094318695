# PostgreSQL as any user but root: a new cluster where there is none, then the server.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # Elsewhere first: a pod that ends half-way must not leave half a cluster.
  rm -rf "$PGDATA.new"
  initdb --username=dynaboard --pwfile="$POSTGRES_PASSWORD_FILE" --auth=scram-sha-256 --encoding=UTF8 --locale=C \
    --pgdata="$PGDATA.new" >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA.new/pg_hba.conf"
  echo 'CREATE DATABASE dynaboard;' | postgres --single -j -D "$PGDATA.new" postgres >/dev/null
  mv "$PGDATA.new" "$PGDATA"
fi
exec postgres -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories=/tmp -c max_connections=300
