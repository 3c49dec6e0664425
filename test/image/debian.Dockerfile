# A substitute for debian:trixie-slim.
FROM fanvas-substitute:trixie
