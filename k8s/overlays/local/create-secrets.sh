#!/bin/sh
# Creates the secrets of the overlays local and trial with random values. The values pass through pipes, never through arguments.
#   sh k8s/overlays/local/create-secrets.sh
set -eu
random() { openssl rand -hex 24; }
create() { kubectl create secret generic "$1" --namespace kiln --from-env-file=/dev/stdin ${KUBECTL_FLAGS:-}; }

postgres=$(random) nats=$(random) redis=$(random)
database="postgres://kiln:$postgres@postgres:5432/kiln"

create kiln-dependencies <<END
postgres-password=$postgres
nats-password=$nats
redis-password=$redis
END

create kiln-secrets <<END
api-key=kiln_live_$(openssl rand -hex 64 | cut -c 1-43)
nats-url=nats://kiln:$nats@nats:4222
redis-url=redis://:$redis@redis:6379
encryption-key=$(openssl rand -base64 32)
storage-access-key-id=kiln$(openssl rand -hex 8)
storage-secret-access-key=$(random)
storage-events-token=$(random)
database-url-migrations=$database
database-url-gateway=$database
database-url-files=$database
database-url-jobs=$database
database-url-search=$database
database-url-connections=$database
database-url-webhooks=$database
database-url-analytics=$database
END
