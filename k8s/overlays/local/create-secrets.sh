#!/bin/sh
# Creates the secrets of the overlays local and trial with random values. The values pass through pipes, never through arguments.
#   sh k8s/overlays/local/create-secrets.sh
set -eu
random() { openssl rand -hex 24; }
# The password of a user of NATS. All are made from one random value, so that two Secrets can have the same.
user_password() { printf '%s' "$1 $nats" | openssl dgst -sha256 -r | cut -c 1-48; }
nats_url() { printf 'nats://%s:%s@nats:4222' "$1" "$(user_password "$1")"; }
create() { kubectl create secret generic "$1" --namespace kiln --from-env-file=/dev/stdin ${KUBECTL_FLAGS:-}; }

postgres=$(random) nats=$(random) redis=$(random)
database="postgres://kiln:$postgres@postgres:5432/kiln"

create kiln-dependencies <<END
postgres-password=$postgres
redis-password=$redis
END

create kiln-nats-users <<END
KILN_NATS_PASSWORD_OPERATOR="$(user_password operator)"
KILN_NATS_PASSWORD_GATEWAY="$(user_password gateway)"
KILN_NATS_PASSWORD_FILES="$(user_password files)"
KILN_NATS_PASSWORD_JOBS="$(user_password jobs)"
KILN_NATS_PASSWORD_SEARCH="$(user_password search)"
KILN_NATS_PASSWORD_CONNECTIONS="$(user_password connections)"
KILN_NATS_PASSWORD_WEBHOOKS="$(user_password webhooks)"
KILN_NATS_PASSWORD_ANALYTICS="$(user_password analytics)"
END

create kiln-secrets <<END
api-key=kiln_live_$(openssl rand -hex 64 | cut -c 1-43)
nats-url-operator=$(nats_url operator)
nats-url-gateway=$(nats_url gateway)
nats-url-files=$(nats_url files)
nats-url-jobs=$(nats_url jobs)
nats-url-search=$(nats_url search)
nats-url-connections=$(nats_url connections)
nats-url-webhooks=$(nats_url webhooks)
nats-url-analytics=$(nats_url analytics)
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
