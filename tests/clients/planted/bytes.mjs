// Keeps the bytes of a line in one buffer. Bugs: buffer, space.
import { serve } from "./pipe.mjs";

const bug = process.argv[2];

class Reader {
  buffer = Buffer.alloc(1 << 16);
  size = 0;
  lines = [];
  id = null;
  afterCr = false;
  isFirst = true;

  feed(bytes, report) {
    for (const byte of bytes) {
      const isSecondHalf = byte === 10 && this.afterCr;
      this.afterCr = byte === 13;
      if (isSecondHalf) continue;
      if (byte !== 10 && byte !== 13) this.buffer[this.size++] = byte;
      else this.endLine(report);
    }
  }
  end() {}
  endLine(report) {
    let line = this.buffer.subarray(0, this.size);
    this.size = 0;
    if (this.isFirst && line.subarray(0, 3).equals(Buffer.from("\uFEFF"))) line = line.subarray(3);
    this.isFirst = false;
    if (line.length > 0) this.lines.push(bug === "buffer" ? line : Buffer.from(line)); // the buffer is used again
    else this.dispatch(report);
  }
  dispatch(report) {
    const data = [];
    let type = "";
    for (const bytes of this.lines.splice(0)) {
      const line = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
      if (bug === "space" && !/^[^:]+: /.test(line)) continue;
      const [, name, value] = line.match(/^([^:]*):? ?([^]*)$/);
      if (name === "data") data.push(value);
      if (name === "event") type = value;
      if (name === "id" && !value.includes("\0")) this.id = value;
    }
    if (data.length > 0) report(type || "message", data.join("\n"), this.id);
  }
}

serve(() => new Reader());
