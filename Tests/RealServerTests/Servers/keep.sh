#!/bin/sh
# Runs a server, in the foreground, until a line or the end comes on the standard input: the end comes
# as well when whoever started it has crashed, so that no server outlives a test.
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
