// Makes all line ends LF, and splits the text at blank lines. Bugs: last, unfinished.
import { serve } from "./pipe.mjs";

const bug = process.argv[2];

class Reader {
  decoder = new TextDecoder();
  text = "";
  afterCr = false;
  ids = "";
  waiting = [];

  feed(bytes, report) {
    let text = this.decoder.decode(bytes, { stream: true });
    if (text === "") return;
    if (this.afterCr && text[0] === "\n") text = text.slice(1);
    this.afterCr = text === "" ? false : text.endsWith("\r");
    this.text += text.replace(/\r\n?/g, "\n");
    const blocks = this.text.split(/(?<=\n|^)\n/);
    this.text = blocks.pop();
    for (const block of blocks) this.block(block, report);
  }
  end(report) {
    if (bug === "unfinished") this.block(this.text, report);
  }
  block(block, report) {
    const data = [];
    let type = "";
    for (const line of block.split("\n")) {
      const [, name, value] = line.match(/^([^:]*):? ?(.*)$/s);
      if (name === "data") data.push(value);
      if (name === "event") type = value;
      if (name === "id" && !value.includes("\0")) this.ids = value;
    }
    if (data.length === 0) return;
    this.waiting.push([type || "message", data.join("\n"), this.ids]);
    // The planted bug waits for the next event. Otherwise nothing waits.
    while (this.waiting.length > (bug === "last" ? 1 : 0)) report(...this.waiting.shift());
  }
}

serve(() => new Reader());
