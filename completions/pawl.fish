# SPDX-License-Identifier: MIT
# Completion of `pawl` for fish, from the help of the program.
function __pawl_commands
    pawl --help 2>/dev/null | string replace -rf '^  ([a-z]+) +(\S.*)$' '$1\t$2'
end
function __pawl_options
    set -l words (commandline -opc)
    pawl $words[2] --help 2>/dev/null | string match -rg '^  (?:-[a-z], )?(--[a-z][a-z0-9-]*)'
end
complete -c pawl -n __fish_use_subcommand -f -a '(__pawl_commands)'
complete -c pawl -n 'not __fish_use_subcommand' -a '(__pawl_options)'
