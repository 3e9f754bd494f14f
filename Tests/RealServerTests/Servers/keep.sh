#!/bin/sh
# Runs a server in the foreground until the standard input has a line or ends. It also ends when the
# test process has crashed, so that no server outlives a test.
exec 3<&0
"$@" 3<&- &
server=$!
{
    read -r _ <&3
    kill "$server"
} >/dev/null 2>&1 &
keeper=$!
wait "$server"
status=$?
kill "$keeper" 2>/dev/null
exit "$status"
