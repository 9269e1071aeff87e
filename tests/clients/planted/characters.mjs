// Reads one character after the other. Bugs: crlf, type.
import { serve } from "./pipe.mjs";

const bug = process.argv[2];

class Reader {
  decoder = new TextDecoder();
  line = "";
  data = "";
  type = "";
  id = null;
  afterCr = false;

  feed(bytes, report) {
    if (bug === "crlf") this.afterCr = false;
    if (bug === "type") this.type = "";
    for (const character of this.decoder.decode(bytes, { stream: true })) this.take(character, report);
  }
  end() {}
  take(character, report) {
    const isSecondHalf = character === "\n" && this.afterCr;
    this.afterCr = character === "\r";
    if (isSecondHalf) return;
    if (character !== "\r" && character !== "\n") this.line += character;
    else this.endLine(report);
  }
  endLine(report) {
    const [, name, value] = this.line.match(/^([^:]*):? ?([^]*)$/);
    if (this.line === "") {
      if (this.data !== "") report(this.type || "message", this.data.slice(0, -1), this.id);
      this.data = this.type = "";
    } else if (name === "data") {
      this.data += value + "\n";
    } else if (name === "event") {
      this.type = value;
    } else if (name === "id" && !value.includes("\0")) {
      this.id = value;
    }
    this.line = "";
  }
}

serve(() => new Reader());
