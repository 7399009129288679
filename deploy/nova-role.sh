#!/bin/sh
# Run once by the image of Postgres, on a new volume: the servers' role owns its database and has no other right
# (docs/operations.md, A Postgres of your own).
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres --set=password="$NOVA_PASSWORD" <<'SQL'
set log_min_error_statement = panic;
create role nova login password :'password'
  nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
create database nova owner nova;
revoke connect, temporary on database nova from public;
SQL
