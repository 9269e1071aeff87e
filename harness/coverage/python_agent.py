"""Loaded by Python before the target's program. Reports which lines of the target's own files ran, over a Unix socket."""


def _splitproof_report_lines():
    import json
    import os
    import socket
    import sys
    import sysconfig
    import threading
    import time

    folder = os.path.realpath(os.environ.get("SPLITPROOF_COVERAGE_DIR") or os.getcwd())
    chosen = [os.path.realpath(os.path.join(folder, name))
              for name in json.loads(os.environ.get("SPLITPROOF_COVERAGE_FILES") or "[]")]
    libraries = {os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}
    names = {}  # path in a code object -> name for reports; "": not the target's own
    reached = {}  # path -> its lines that ran
    told = set()  # paths whose lines are known
    connections = []  # of this process, at most one

    def inside(path, root):
        return path == root or path.startswith(root + os.sep)

    def is_own(path):
        if path == os.path.realpath(__file__):
            return False
        if chosen:
            return any(inside(path, root) for root in chosen)
        parts = path[len(folder):].split(os.sep)
        return (inside(path, folder) and "site-packages" not in parts and "dist-packages" not in parts and
                not any(inside(path, library) for library in libraries))

    def name_of(file):
        name = names.get(file)
        if name is None:
            path = os.path.realpath(file)
            name = os.path.relpath(path, folder) if not file.startswith("<") and is_own(path) else ""
            names[file] = name
        return name

    def lines_of(code):
        lines = {line for _, _, line in code.co_lines() if line} if hasattr(code, "co_lines") else set()
        for constant in code.co_consts:
            if hasattr(constant, "co_code"):
                lines |= lines_of(constant)
        return lines

    def known_of(file):
        try:
            with open(file, "rb") as source:
                return sorted(lines_of(compile(source.read(), file, "exec", dont_inherit=True)))
        except (OSError, SyntaxError, ValueError):
            return []

    def watch():
        monitoring = getattr(sys, "monitoring", None)
        if monitoring is None:
            tracers = {}  # path -> a function that is called for each line; None: not the target's own

            def tracer_of(file):
                if not name_of(file):
                    return None
                add = reached.setdefault(file, set()).add

                # As short as possible, because a loop pays for it. The line of another event than "line" has run, too.
                def on_line(frame, _, __):
                    add(frame.f_lineno)
                    return on_line
                return on_line

            def on_call(frame, _, __):
                file = frame.f_code.co_filename
                if file not in tracers:
                    tracers[file] = tracer_of(file)
                return tracers[file]

            threading.settrace(on_call)
            sys.settrace(on_call)
            return
        tool = next(free for free in (4, 3, 5, 2) if monitoring.get_tool(free) is None)
        monitoring.use_tool_id(tool, "splitproof")

        def on_start(code, _):
            if name_of(code.co_filename):
                monitoring.set_local_events(tool, code, monitoring.events.LINE)
            return monitoring.DISABLE

        def on_line_of(code, line):
            reached.setdefault(code.co_filename, set()).add(line)
            return monitoring.DISABLE  # until the next case: a loop costs no more than one pass

        monitoring.register_callback(tool, monitoring.events.PY_START, on_start)
        monitoring.register_callback(tool, monitoring.events.LINE, on_line_of)
        monitoring.set_events(tool, monitoring.events.PY_START)

    def count():
        return sum(map(len, list(reached.values())))

    def take():
        # What the program does after its answer takes a moment.
        for _ in range(10):
            before = count()
            time.sleep(0.001)
            if count() == before:
                break
        lines = {}
        for file, ran in reached.copy().items():
            lines[file] = ran.copy()
            ran.difference_update(lines[file])
        if hasattr(sys, "monitoring"):
            sys.monitoring.restart_events()
        answer = []
        for file, some in lines.items():
            if not some:
                continue
            one = {"name": names[file], "reached": sorted(some)}
            if file not in told:
                told.add(file)
                one["known"] = known_of(file)
            answer.append(one)
        return {"files": answer}

    def serve():
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connections.append(connection)
                connection.connect(os.environ["SPLITPROOF_COVERAGE"])
                while asked := connection.recv(4096):
                    for _ in range(asked.count(b"\n")):
                        connection.sendall((json.dumps(take()) + "\n").encode())
        except OSError:
            pass

    # A forked process has the connection of its parent, and not the thread that serves it.
    def start():
        while connections:
            connections.pop().close()
        threading.Thread(target=serve, name="splitproof-coverage", daemon=True).start()

    start()
    os.register_at_fork(after_in_child=start)
    watch()


def _splitproof_load_hidden():
    """Loads the module of this name that this one hides."""
    import os
    import sys
    own = os.path.dirname(os.path.abspath(__file__))
    before = list(sys.path)
    this = sys.modules.pop("sitecustomize", None)
    sys.path = [folder for folder in before if os.path.abspath(folder or ".") != own]
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
        sys.modules["sitecustomize"] = this
    finally:
        sys.path = before


if "SPLITPROOF_COVERAGE" in __import__("os").environ:
    _splitproof_report_lines()
_splitproof_load_hidden()
