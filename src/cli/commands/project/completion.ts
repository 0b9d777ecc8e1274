// pairflow completion: the lines that make Tab complete commands, flags, ids, workflows, plans and agents.

import { buildUsageError } from "../../../app/host/usage.ts";
import { defineVerb } from "../../verb/declaration.ts";

const bash = `# Tab for pairflow. In ~/.bashrc: eval "$(pairflow completion bash)"
_pairflow() {
  local IFS=$'\\n' line=() one last glue=
  # Bash makes three words of a=b; the line has one.
  for one in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    last=$((\${#line[@]} - 1))
    if [[ -n $glue || $one == "=" ]] && ((last >= 0)); then line[last]+=$one; else line+=("$one"); fi
    [[ $one == "=" ]] && glue=1 || glue=
  done
  last=\${line[\${#line[@]} - 1]}
  COMPREPLY=($(pairflow complete -- "\${line[@]}" 2>/dev/null))
  # What stands before that sign is on the line already.
  COMPREPLY=("\${COMPREPLY[@]#"\${last%"\${last##*=}"}"}")
}
complete -o default -F _pairflow pairflow
`;

const zsh = `#compdef pairflow
# Tab for pairflow. In ~/.zshrc, behind compinit: eval "$(pairflow completion zsh)"
_pairflow() {
  local -a found
  found=("\${(@f)$(pairflow complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -a found; else _files; fi
}
compdef _pairflow pairflow
`;

const fish = `# Tab for pairflow. In ~/.config/fish/config.fish: pairflow completion fish | source
function __pairflow_complete
  set -l found (pairflow complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  if test -n "$found"
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c pairflow -f -k -a '(__pairflow_complete)'
`;

const scripts: Readonly<Record<string, string>> = { bash, zsh, fish };

export const completion = defineVerb({
  words: "completion",
  about: "Print the lines that make Tab complete commands, flags and names",
  access: "read",
  takes: "bash|zsh|fish",
  takesOneOf: Object.keys(scripts),
  example: 'eval "$(pairflow completion bash)"',
  flags: {},
  async run(shell, { words: [wanted, ...more] }) {
    const name = wanted ?? shell.env.SHELL?.split("/").at(-1) ?? "";
    const script = scripts[name];
    if (script === undefined || more.length > 0)
      throw buildUsageError(
        "usage.bad-value",
        `completion is there for ${Object.keys(scripts).join(", ")}`,
        "pairflow completion bash",
      );
    return { text: script, json: { shell: name, script } };
  },
});
