// Collects text and takes lines from it. Bugs: decoder, separators.
import { serve } from "./pipe.mjs";

const bug = process.argv[2];

class Reader {
  text = "";
  decoder = new TextDecoder();
  block = { data: [] };
  id = null;

  feed(bytes, report) {
    this.text += bug === "decoder" ? new TextDecoder().decode(bytes) : this.decoder.decode(bytes, { stream: true });
    this.lines(report, false);
  }
  end(report) {
    this.lines(report, true);
  }
  // A CR at the end may be the first half of a CR LF.
  lines(report, over) {
    const ends = bug === "separators" ? /\r\n|\r|\n|\u2028|\u2029/g : /\r\n|\r|\n/g;
    let begin = 0;
    for (const end of this.text.matchAll(ends)) {
      const after = end.index + end[0].length;
      if (end[0] === "\r" && after === this.text.length && !over) break;
      this.line(this.text.slice(begin, end.index), report);
      begin = after;
    }
    this.text = this.text.slice(begin);
  }
  line(line, report) {
    if (line === "") {
      if (this.block.data.length > 0) report(this.block.event || "message", this.block.data.join("\n"), this.id);
      this.block = { data: [] };
      return;
    }
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.block.data.push(value);
    if (name === "event") this.block.event = value;
    if (name === "id" && !value.includes("\0")) this.id = value;
  }
}

serve(() => new Reader());
