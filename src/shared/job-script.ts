import { jobScriptTitle, maxLog } from './bridge/job'
import { statFunction } from './end-process'

/** Program that runs a command on the machine and keeps its log, exit code and times in the folder of the job. */
const runner = `dir=$1
trap : HUP INT TERM
${statFunction}
stat_of $$
printf '%s %s %s %s\\n' $$ "$began" "$(cat /proc/sys/kernel/random/boot_id)" "$(date +%s)" >"$dir/runner.new"
mv "$dir/runner.new" "$dir/runner"
cd "$HOME"
PYTHONUNBUFFERED=1; export PYTHONUNBUFFERED
{
  trap : HUP INT TERM
  "\${SHELL:-/bin/sh}" "$dir/command"
  printf '%s %s\\n' "$?" "$(date +%s)" >"$dir/code.new"
  mv "$dir/code.new" "$dir/code"
} 2>&1 | (trap '' HUP INT TERM; exec tee "$dir/log")`

/** Functions in POSIX sh that the questions about jobs call. */
export const jobFunctions = `${jobScriptTitle}
LC_ALL=C; export LC_ALL
jobs=$HOME/.cache/wheelhouse/jobs
boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)
echo "boot $boot $(date +%s)"
has() { command -v "$1" >/dev/null 2>&1; }
${statFunction}
alive() { stat_of "$1" && [ "$state" != Z ]; }
user_of() { ps -ww -o user= -p "$1" 2>/dev/null || stat -c %U "/proc/$1" 2>/dev/null; }
command_of() { tr '\\000\\n' '  ' <"/proc/$1/cmdline" 2>/dev/null | head -c 2000; }
describe() {
  alive "$1" || { echo none; return; }
  set -- "$1" $(user_of "$1")
  echo "process $1 $began $2 $(command_of "$1")"
  for output in 1 2; do
    file=$(readlink "/proc/$1/fd/$output" 2>/dev/null) || continue
    [ -f "$file" ] && { printf 'log %s\\n' "$file"; return; }
  done
}
describe_pane() {
  server=\${TMUX_TMPDIR:-/tmp}/tmux-$(id -u)/$1
  shell=$(tmux -S "$server" display-message -p -t "$2" '#{pane_pid}' 2>/dev/null </dev/null)
  [ -n "$shell" ] && stat_of "$shell" || { echo none; return; }
  echo "label $(tmux -S "$server" display-message -p -t "$2" '#{session_name}:#{window_index}.#{pane_index}' </dev/null)"
  describe "$foreground"
}
panes() {
  has tmux || return
  for server in "\${TMUX_TMPDIR:-/tmp}/tmux-$(id -u)"/*; do
    [ -S "$server" ] || continue
    tmux -S "$server" list-panes -a -F '#{pane_id} #{pane_pid} #{session_name}:#{window_index}.#{pane_index}' </dev/null 2>/dev/null | head -n 100 |
      while read -r pane shell label; do
        stat_of "$shell" || continue
        printf 'pane %s %s %s %s %s\\t%s\\n' "\${server##*/}" "$pane" "$shell" "$foreground" "$label" "$(command_of "$foreground")"
      done
  done
}
start_job() {
  dir=$jobs/$1
  umask 077
  mkdir -p "$jobs" || { echo failed; return; }
  # A script whose answer was lost is sent again.
  if mkdir "$dir" 2>/dev/null; then
    printf '%s\\n' "$2" >"$dir/command" && cat >"$dir/run" <<'RUN' || { echo failed; return; }
${runner}
RUN
    if has tmux && tmux new-session -d -s "job-$1" /bin/sh "$dir/run" "$dir" </dev/null >/dev/null 2>&1; then
      echo tmux >"$dir/how"
    else
      echo nohup >"$dir/how"
      $(command -v setsid) nohup /bin/sh "$dir/run" "$dir" </dev/null >/dev/null 2>&1 &
    fi
  fi
  for try in 1 2 3 4 5 6 7 8 9 10; do
    [ ! -f "$dir/runner" ] || break
    sleep 0.2 2>/dev/null || sleep 1
  done
  read -r pid began started at <"$dir/runner" || { echo failed; return; }
  echo "started $pid $began $(id -un) $at $(cat "$dir/how")"
}
process_state() {
  if alive "$2" && [ "$began" = "$3" ]; then echo "job $1 running"; else echo "job $1 ended"; fi
}
command_state() {
  dir=$jobs/$2
  if [ -f "$dir/code" ]; then read -r code at <"$dir/code"; echo "job $1 ended $code $at"
  elif ! read -r pid began_at started at 2>/dev/null <"$dir/runner"; then echo "job $1 files-gone"
  elif [ "$started" != "$boot" ]; then echo "job $1 rebooted"
  elif alive "$pid" && [ "$began" = "$began_at" ]; then echo "job $1 running"
  elif [ -f "$dir/code" ]; then command_state "$1" "$2"
  else echo "job $1 ended"; fi
}
log_file() {
  [ -f "$1" ] && [ -r "$1" ] || { echo none; return; }
  echo "log $(wc -c <"$1")"
  tail -c ${String(maxLog.bytes)} "$1"
}
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
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

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
