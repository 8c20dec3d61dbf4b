import Settings

/// `kfrec completions`: a script that makes a shell ask `kfrec complete` for each word.
///
/// The scripts know nothing of kfrec's options and effects, so they stay right when kfrec is replaced.
struct CompletionScript {
  static let shells = ["bash", "zsh", "fish"]

  let text: String

  /// - Throws: A usage error if there is no script for this shell.
  init(named shell: String?) throws(CommandLineError) {
    switch shell {
    case "bash": text = Self.bash
    case "zsh": text = Self.zsh
    case "fish": text = Self.fish
    case let other:
      let shells = orList(Self.shells)
      throw CommandLineError(
        other.map { "there are no completions for \"\($0)\"; kfrec completions takes \(shells)" }
          ?? "kfrec completions needs the name of a shell: \(shells)")
    }
  }

  /// Needs bash 4.4 or later, and no bash-completion.
  ///
  /// Bash breaks words at `=` and `:`, in which effects have them, so the words are put together again; what is offered
  /// is then only the piece behind the last break.
  private static let bash = #"""
    # Completions of kfrec for bash. Put this into ~/.bashrc:  source <(kfrec completions bash)

    # Sets REPLY to a word without its quotes, and MARK to a quote that is still open.
    __kfrec_plain() {
      local text=$1 c next i
      REPLY= MARK=
      for ((i = 0; i < ${#text}; i++)); do
        c=${text:i:1}
        if [[ $MARK == "'" ]]; then
          if [[ $c == "'" ]]; then MARK=; else REPLY+=$c; fi
        elif [[ $c == '\' ]]; then
          next=${text:++i:1}
          if [[ $MARK == '"' && $next != ['"\$`'] ]]; then REPLY+='\'; fi
          REPLY+=$next
        elif [[ $c == '"' ]]; then
          if [[ $MARK == '"' ]]; then MARK=; else MARK='"'; fi
        elif [[ $c == "'" && -z $MARK ]]; then
          MARK="'"
        else
          REPLY+=$c
        fi
      done
    }

    # Sets REPLY to a piece of a word with what the shell needs before its own signs.
    __kfrec_quoted() {
      local text=$1 c i signs
      case $MARK in
        "'") REPLY=${text//"'"/"'\\''"}; return ;;
        '"') signs='"\$`' ;;
        *) signs=$' \t\'"\\$`&|;()<>*?[]{}!#' ;;
      esac
      REPLY=
      for ((i = 0; i < ${#text}; i++)); do
        c=${text:i:1}
        if [[ $signs == *"$c"* ]]; then REPLY+='\'; fi
        REPLY+=$c
      done
    }

    _kfrec() {
      local program=${COMP_WORDS[0]} line=${COMP_LINE:0:COMP_POINT} piece= word= MARK= REPLY= i
      local kind text note last= paths= found=()
      local -a raw=() plain=()
      for ((i = 0; i <= COMP_CWORD; i++)); do
        piece=${COMP_WORDS[i]}
        if [[ $i -eq 0 || $line == [[:blank:]]* ]]; then
          line=${line#"${line%%[![:blank:]]*}"}
          [[ $i -eq $COMP_CWORD ]] && piece=$line
          raw+=("$piece")
        else
          [[ $i -eq $COMP_CWORD ]] && piece=$line
          raw[${#raw[@]}-1]+=$piece
        fi
        line=${line#"$piece"}
      done
      [[ $piece == *[!=:]* ]] || piece=
      for word in "${raw[@]:1}"; do
        __kfrec_plain "$word"
        plain+=("$REPLY")
      done
      word=$REPLY
      local open=$MARK
      __kfrec_plain "$piece"
      piece=$REPLY MARK=$open
      local before=${word%"$piece"}
      COMPREPLY=()
      type -P -- "$program" >/dev/null || program=kfrec
      while IFS=$'\t' read -r kind text note; do
        case $kind in
          word | part)
            [[ $text == "$word"* ]] || continue
            found+=("${text#"$before"}")
            last=$kind
            ;;
          files) paths=-f ;;
          folders) paths=-d ;;
        esac
      done < <("$program" complete -- "${plain[@]}" 2>/dev/null)
      if [[ -n $paths ]]; then
        # Bash puts the quotes into paths by itself.
        compopt -o filenames 2>/dev/null
        COMPREPLY=("${found[@]}")
        while IFS= read -r text; do COMPREPLY+=("${text#"$before"}"); done < <(compgen $paths -- "$word")
      else
        for text in "${found[@]}"; do
          __kfrec_quoted "$text"
          COMPREPLY+=("$REPLY")
        done
      fi
      if [[ ${#COMPREPLY[@]} -eq 1 && $last == part ]]; then compopt -o nospace 2>/dev/null; fi
    }

    complete -F _kfrec kfrec

    """#

  private static let zsh = #"""
    #compdef kfrec
    # Completions of kfrec for zsh. Keep this as _kfrec in a folder of $fpath, or put into ~/.zshrc behind compinit:
    #   source <(kfrec completions zsh)

    _kfrec() {
      local program=${(Q)words[1]} kind text note paths
      local -a typed whole whole_shown part part_shown
      whence -p -- $program >/dev/null || program=kfrec
      typed=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
      while IFS=$'\t' read -r kind text note; do
        case $kind in
          word) whole+=("$text"); whole_shown+=("$text${note:+  -- $note}") ;;
          part) part+=("$text"); part_shown+=("$text${note:+  -- $note}") ;;
          files | folders) paths=$kind ;;
        esac
      done < <("$program" complete -- "${typed[@]}" 2>/dev/null)
      local found=1
      (( $#whole )) && compadd -l -d whole_shown -a whole && found=0
      (( $#part )) && compadd -S '' -l -d part_shown -a part && found=0
      case $paths in
        files) _files && found=0 ;;
        folders) _files -/ && found=0 ;;
      esac
      return found
    }

    if [[ $funcstack[1] == _kfrec ]]; then
      _kfrec "$@"
    else
      compdef _kfrec kfrec
    fi

    """#

  private static let fish = #"""
    # Completions of kfrec for fish. Keep this as ~/.config/fish/completions/kfrec.fish

    function __kfrec_complete
        set -l typed (commandline -opc)
        set -l program $typed[1]
        set -e typed[1]
        set -l token (commandline -ct)
        set -l word (string unescape -- "$token" 2>/dev/null)
        or set word (string trim -l -c '"\'' -- "$token")
        type -q -- "$program"; or set program kfrec
        command $program complete -- $typed "$word" 2>/dev/null | while read -l -d \t kind text note
            switch $kind
                case word part
                    printf '%s\t%s\n' $text "$note"
                case files
                    __fish_complete_path "$word"
                case folders
                    __fish_complete_directories "$word" ''
            end
        end
    end

    complete -c kfrec -f -a '(__kfrec_complete)'

    """#
}
