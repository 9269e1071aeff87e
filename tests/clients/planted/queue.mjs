// Puts the events of a read into a queue. Bugs: one, held.
import { serve } from "./pipe.mjs";

const bug = process.argv[2];

class Reader {
  decoder = new TextDecoder();
  rest = "";
  queue = [];
  block = [];
  id = null;

  feed(bytes, report) {
    const isHalf = this.rest.endsWith("\r");
    const text = this.rest + this.decoder.decode(bytes, { stream: true });
    if (isHalf && text === this.rest) return;
    const lines = text.split(/\r\n|\n|\r(?!$)/); // a CR at the end may be half of a CR LF
    this.rest = lines.pop();
    for (const line of lines) this.line(line);
    this.flush(report, false);
  }
  end(report) {
    if (this.rest.endsWith("\r")) this.line(this.rest.slice(0, -1));
    this.flush(report, true);
  }
  flush(report, isOver) {
    if (bug === "held" && !isOver && this.queue.length < 2) return;
    for (const event of bug === "one" ? this.queue.slice(0, 1) : this.queue) report(...event);
    this.queue = [];
  }
  line(line) {
    if (line !== "") {
      this.block.push(line.match(/^([^:]*):? ?([^]*)$/).slice(1));
      return;
    }
    const values = (name) => this.block.filter((field) => field[0] === name).map((field) => field[1]);
    this.id = values("id").filter((id) => !id.includes("\0")).pop() ?? this.id;
    const data = values("data");
    if (data.length > 0) this.queue.push([values("event").pop() || "message", data.join("\n"), this.id]);
    this.block = [];
  }
}

serve(() => new Reader());
