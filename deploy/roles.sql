-- The users of the app and of the audit (docs/runbooks/database-roles.md). The app gives them their rights at its start.
\getenv app_password APP_PASSWORD
\getenv audit_password AUDIT_PASSWORD
select format('create role %I', name) from unnest(array['fanvas_app', 'fanvas_audit']) as name
where not exists (select from pg_roles where rolname = name) \gexec
-- A statement that fails would be logged with its password.
set log_min_error_statement = panic;
alter role fanvas_app login password :'app_password';
alter role fanvas_audit login password :'audit_password';
