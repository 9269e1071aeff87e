"""Texts that try to become code, markup or a command, and the places where tests look for their effects."""

# Texts that only change the appearance, or break something, without running anything.
INERT = [
    "*/ x /*", "#{x}", "-->", "]]>", "<![CDATA[", "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>",
    "</pre></code></td>", "\" onmouseover=\"alert(1)", "' onclick='alert(1)", "&lt;b&gt;&amp;&#60;", "a | b || c", "::error::x",
    "x\n::error file=a::x\n  ::stop-commands::y", "x\r\n::debug::y", "##[error]x", "%0A::error::x", "-rf", "--evidence=x",
    "\0", "\x01\x08\x0b\x0c\x7f", "\x1b[31m\x07", "\x85\x9b31m", "\u202e\u2066", "\ufeff", "\u2028\u2029", "\ufffe\uffff",
    "coding: utf-7", "+build ignore", "@vitest-environment hostile", "@jest-environment hostile", "__proto__", "[a](http://x)",
    "![a](http://x)", "```\n# x\n```", "~~~\n<b>", "{0} {} %s", "\\", "\\\\", "\\\"", "\\'", "\\\n", "'", "\"", "`", "${x}", "$(x", "@SAYS@",
    "\U0001f600 \u00e9 \u6f6e",
]


def running(canary):
    """Texts that create the file `canary` if a shell, Python or JavaScript runs them."""
    touch = f"touch {canary}"
    python = f"__import__('os').system('{touch}')"
    script = f"(await import('node:fs')).writeFileSync('{canary}','')"
    ends = ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"]
    quotes = ["'", '"', "`", "'''", '"""', "\\'", '\\"']
    texts = [f"$({touch})", f"`{touch}`", f"; {touch} ;", f"| {touch}", f"&& {touch} #", f"${{{script}}}", f"${{x:-$({touch})}}"]
    texts += [f"{quote}; {touch}; {quote}" for quote in quotes]
    texts += [f"x{end}{code}{end}" for end in ends for code in (touch, python, f"{script};//")]
    texts += [f"{quote}){end}{code}{end}({quote}" for quote in quotes for end in ("", "\n")
              for code in (f";{python};", f";{script};")]
    texts += [f"{quote} + {python} + {quote}" for quote in quotes]
    return texts


def printable(text):
    """Returns the characters of a text that may occur in a header, or in a file name."""
    return "".join(c for c in text if " " <= c <= "~")


def yaml(text):
    """Returns a text as quoted YAML."""
    return '"' + "".join(c if " " <= c <= "~" and c not in '"\\' else f"\\U{ord(c):08x}" for c in text) + '"'
