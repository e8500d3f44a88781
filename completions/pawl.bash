# SPDX-License-Identifier: MIT
# Completion of `pawl` for bash. Commands and options are those that the program tells in its help,
# which is made from the table of options.
_pawl() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(pawl --help 2>/dev/null |
      sed -nE 's/^  ([a-z]+) +[^ ].*/\1/p') --help --version" -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(pawl "$command" --help 2>/dev/null |
      grep -oE '^  (-[a-z], )?--[a-z][a-z0-9-]*' | grep -oE -- '--[a-z0-9-]+')" -- "$word")
  elif [[ $command == examples || $command == new ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(pawl examples 2>/dev/null |
      grep -oE '^  [a-z][a-z0-9-]+')" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -X '!*.@(pawl|csv|out|fmu)' -- "$word"; compgen -d -- "$word")
  fi
}
complete -o filenames -F _pawl pawl
