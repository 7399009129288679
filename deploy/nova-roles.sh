#!/bin/sh
# Run once by the image of Postgres, on a new volume: the servers' role, and the one that owns the database and its journal
# (docs/postgres.md, A role that owns the journal).
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres \
  --set=password="$NOVA_PASSWORD" --set=owner_password="$NOVA_OWNER_PASSWORD" <<'SQL'
set log_min_error_statement = panic;
create role nova login password :'password'
  nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
create role nova_owner login password :'owner_password'
  nosuperuser nocreatedb nocreaterole noreplication nobypassrls in role nova;
create database nova owner nova_owner;
revoke connect, temporary on database nova from public;
grant connect, create on database nova to nova;
\connect nova
grant usage, create on schema public to nova;
SQL
