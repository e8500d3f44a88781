# SPDX-License-Identifier: MIT
# Completion of `pawl` for bash. Commands, options and their values are those that the program tells
# in its help, which is made from the table of options. Needs no extended patterns (extglob).

# The values of an option that has a list of them: `--method event|dp5|...`. Where a command writes a
# placeholder, the list is that of `pawl run`.
_pawl_values() { # command, option
  local of value
  for of in "$1" run; do
    value=$(pawl "$of" --help 2>/dev/null | sed -nE "s/^  (-[a-z], )?$2 ([a-z][a-z0-9|,]*)( .*)?\$/\2/p")
    [ -n "$value" ] && break
  done
  echo "${value//[|,]/ }"
}

_pawl_files() { # models, tables, units and folders
  local ending
  for ending in pawl csv fmu; do
    compgen -f -X "!*.$ending" -- "$1"
  done
  compgen -d -- "$1"
}

_pawl() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} before=${COMP_WORDS[COMP_CWORD - 1]} list=
  if [ "$word" = = ]; then # --method=
    word=
  elif [ "$before" = = ]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    list="$(pawl --help 2>/dev/null | sed -nE 's/^  ([a-z]+) +[^ ].*/\1/p') --help --version"
  elif [[ $word == -* ]]; then
    list=$(pawl "$command" --help 2>/dev/null |
      grep -oE '^  (-[a-z], )?--[a-z][a-z0-9-]*' | grep -oE -- '--[a-z0-9-]+')
  elif [[ $before == --[a-z]* ]]; then
    list=$(_pawl_values "$command" "$before")
  elif [[ $command == examples || $command == new ]]; then
    list=$(pawl examples 2>/dev/null | grep -oE '^  [a-z][a-z0-9-]+')
  fi
  if [ -n "$list" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$list" -- "$word" | sort -u)
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(_pawl_files "$word" | sort -u)
  fi
}
complete -F _pawl pawl
