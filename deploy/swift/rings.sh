#!/bin/sh
# Makes the rings of a Swift with one disk on this machine, /srv/node/disk, and one copy of each object.
set -eu
cd /etc/swift
for ring in account:6202 container:6201 object:6200; do
  swift-ring-builder "${ring%:*}.builder" create 10 1 1
  swift-ring-builder "${ring%:*}.builder" add "r1z1-127.0.0.1:${ring#*:}/disk" 1
  swift-ring-builder "${ring%:*}.builder" rebalance
done
