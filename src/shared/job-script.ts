import { quoted } from './quoted'
import { jobScriptTitle, maxLog } from './bridge/job'
import { statFunction } from './end-process'

/** Program that runs a command on the machine and keeps its log, exit code and times in the folder of the job. */
const runner = `dir=$1
trap : HUP INT TERM
${statFunction}
stat_of $$
printf '%s %s %s %s\\n' $$ "$began" "$(cat /proc/sys/kernel/random/boot_id)" "$(date +%s)" >"$dir/runner.new" || exit
mv "$dir/runner.new" "$dir/runner" || exit
cd "$HOME"
PYTHONUNBUFFERED=1; export PYTHONUNBUFFERED
{
  trap : HUP INT TERM
  "\${SHELL:-/bin/sh}" "$dir/command"
  printf '%s %s\\n' "$?" "$(date +%s)" >"$dir/code.new" && mv "$dir/code.new" "$dir/code"
} 2>&1 | (trap '' HUP INT TERM; exec tee "$dir/log")`

/** Function in POSIX sh that prints the size and the end of a log. */
export const logFileFunction = `log_file() {
  [ -f "$1" ] && [ -r "$1" ] || { echo none; return; }
  echo "log $(wc -c <"$1")"
  tail -c ${String(maxLog.bytes)} "$1"
}`

/** Functions in POSIX sh that the questions about jobs call. */
export const jobFunctions = `${jobScriptTitle}
locale=$LC_ALL
LC_ALL=C; export LC_ALL
jobs=$HOME/.cache/wheelhouse/jobs
boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)
echo "boot $boot $(date +%s)"
has() { command -v "$1" >/dev/null 2>&1; }
${statFunction}
alive() { stat_of "$1" && [ "$state" != Z ]; }
# A process that exists but can't be read has not ended.
ended() { [ ! -e "/proc/$1" ] || { stat_of "$1" && { [ "$state" = Z ] || [ "$began" != "$2" ]; }; }; }
user_of() { ps -ww -o user:32= -p "$1" 2>/dev/null || ps -ww -o user= -p "$1" 2>/dev/null || stat -c %U "/proc/$1" 2>/dev/null; }
command_of() { tr '\\000\\n' '  ' <"/proc/$1/cmdline" 2>/dev/null | head -c 2000; }
describe() {
  alive "$1" || { echo none; return; }
  set -- "$1" $(user_of "$1")
  printf 'process %s %s %s %s\\n' "$1" "$began" "$2" "$(command_of "$1")"
  for output in 1 2; do
    file=$(readlink "/proc/$1/fd/$output" 2>/dev/null) || continue
    [ -f "$file" ] && { printf 'log %s\\n' "$file"; return; }
  done
}
pane_shell() {
  server=\${TMUX_TMPDIR:-/tmp}/tmux-$(id -u)/$1
  shell=$(tmux -S "$server" display-message -p -t "$2" '#{pane_pid}' 2>/dev/null </dev/null)
  [ -n "$shell" ] && stat_of "$shell"
}
describe_pane() {
  pane_shell "$1" "$2" || { echo none; return; }
  printf 'label %s\\n' "$(tmux -S "$server" display-message -p -t "$2" '#{session_name}:#{window_index}.#{pane_index}' </dev/null)"
  describe "$foreground"
}
processes() {
  stat_of $$; set -- \${line##*') '}; own=$4
  for folder in /proc/[0-9]*; do
    [ -O "$folder" ] && read -r line 2>/dev/null <"$folder/stat" || continue
    set -- \${line##*') '}
    [ "$1" != Z ] && [ "$4" != "$own" ] && [ "\${21:-0}" != 0 ] || continue
    echo "$((\${12} + \${13})) \${folder#/proc/} \${20}"
  done | sort -n -r | head -n 30 | while read -r ticks pid began; do
    command=$(command_of "$pid")
    [ -z "$command" ] || printf 'running %s %s %.500s\\n' "$pid" "$began" "$command"
  done
}
panes() {
  has tmux || return
  for server in "\${TMUX_TMPDIR:-/tmp}/tmux-$(id -u)"/*; do
    [ -S "$server" ] || continue
    tmux -S "$server" list-panes -a -F '#{pane_id} #{pane_pid} #{session_name}:#{window_index}.#{pane_index}' </dev/null 2>/dev/null | head -n 100 |
      while read -r pane shell label; do
        stat_of "$shell" || continue
        printf 'pane %s %s %s %s %s\\t%.300s\\n' "\${server##*/}" "$pane" "$shell" "$foreground" "$label" "$(command_of "$foreground")"
      done
  done
}
start_job() {
  dir=$jobs/$1
  mask=$(umask)
  umask 077
  mkdir -p "$jobs" || { echo failed; return; }
  # A script whose answer was lost is sent again.
  if mkdir "$dir" 2>/dev/null; then
    printf '%s\\n' "$2" >"$dir/command" && cat >"$dir/run" <<'RUN' || { echo failed; return; }
${runner}
RUN
    # The command, and a tmux server that it starts, get the user's own environment.
    (
      umask "$mask"
      if [ -n "$locale" ]; then LC_ALL=$locale; else unset LC_ALL; fi
      if has tmux && tmux new-session -d -s "job-$1" /bin/sh "$dir/run" "$dir" </dev/null >/dev/null 2>&1; then
        echo tmux >"$dir/how"
      else
        echo nohup >"$dir/how"
        $(command -v setsid) nohup /bin/sh "$dir/run" "$dir" </dev/null >/dev/null 2>&1 &
      fi
    )
  fi
  for second in 1 2 3 4 5 6 7 8; do
    for part in 1 2 3 4 5; do
      [ ! -f "$dir/runner" ] || break 2
      sleep 0.2 2>/dev/null || { sleep 1; break; }
    done
  done
  read -r pid began started at <"$dir/runner" || { echo failed; return; }
  echo "started $pid $began $(id -u) $at $(cat "$dir/how")"
}
process_state() {
  if ended "$2" "$3"; then echo "job $1 ended"; else echo "job $1 running"; fi
}
# A pipeline has the number of its first program, which may end before the others.
pane_state() {
  if ended "$2" "$3" && ! { pane_shell "$4" "$5" && [ "$foreground" = "$2" ]; }; then echo "job $1 ended"
  else echo "job $1 running"; fi
}
command_state() {
  dir=$jobs/$2
  if [ -s "$dir/code" ]; then read -r code at <"$dir/code"; echo "job $1 ended $code $at"
  elif ! read -r pid began_at started at 2>/dev/null <"$dir/runner"; then echo "job $1 files-gone"
  elif [ -n "$boot" ] && [ "$started" != "$boot" ]; then echo "job $1 rebooted"
  elif ! ended "$pid" "$began_at"; then echo "job $1 running"
  elif [ -s "$dir/code" ]; then command_state "$1" "$2"
  else echo "job $1 ended"; fi
}
${logFileFunction}
log_pane() {
  server=\${TMUX_TMPDIR:-/tmp}/tmux-$(id -u)/$1
  echo "log 0"
  tmux -S "$server" capture-pane -p -S -200 -t "$2" </dev/null 2>/dev/null | tail -c ${String(maxLog.bytes)}
}
log_command() { log_file "$jobs/$1/log"; }
end_command() {
  alive "$1" && [ "$began" = "$2" ] || { echo gone; return; }
  kill "-$3" "-$1" 2>/dev/null || { echo "refused not-permitted"; return; }
  for second in 1 2 3 4 5; do
    alive "$1" && [ "$began" = "$2" ] || { echo ended; return; }
    sleep 1
  done
  echo running
}`

const mark = '# Questions'

/** A function of `jobFunctions` with its arguments. */
export type JobQuestion = readonly [name: string, ...args: readonly string[]]

/** Returns the script that asks questions one after another. It prints "end" last. Pure. */
export const jobScript = (questions: readonly JobQuestion[]): string =>
  [
    jobFunctions,
    mark,
    ...questions.map(([name, ...args]) => [name, ...args.map(quoted)].join(' ')),
    "printf '\\nend\\n'",
  ].join('\n')

/** Returns the questions in a script of `jobScript`; null for any other text. Pure. */
export function readJobScript(script: string): readonly JobQuestion[] | null {
  if (!script.startsWith(`${jobFunctions}\n${mark}\n`)) return null
  const calls = script.slice(jobFunctions.length + mark.length + 2)
  return [...calls.matchAll(/^([a-z_]+)((?: '(?:[^']|'\\'')*')*)$/gm)]
    .slice(0, -1)
    .map(([, name = '', args = '']) => [
      name,
      ...[...args.matchAll(/ '((?:[^']|'\\'')*)'/g)].map(([, text = '']) => text.replaceAll(`'\\''`, "'")),
    ])
}
