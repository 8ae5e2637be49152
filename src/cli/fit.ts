import { fitRecording, type LawReport } from "../assemble/index.ts";
import { systemClock } from "../base/clock.ts";
import { consoleTable } from "../base/table.ts";
import { createOutput } from "./output.ts";

/** `colloquy fit`. */
export async function fitCommand(path: string, options: { readonly json?: boolean }): Promise<number> {
  const output = createOutput(options.json ?? false, systemClock);
  const report = fitRecording(path);
  for (const warning of report.warnings) output.note(`warning: ${warning}`);
  output.print(`Response law of ${path}\n${describeLaw(report)}`);
  output.print(
    `\nReplay of the recording's own protocol (an unread answer is wrong, a tied majority counts for its share)\n${describeReplay(report)}`,
  );
  output.print(`\nP(right next | own answer, how many of the voices heard were right)\n${describeConformity(report)}`);
  output.json(report);
  return 0;
}

const describeLaw = ({ law }: LawReport): string =>
  Object.entries(law)
    .map(
      ([name, value]) => `  ${name.padEnd(16)} ${typeof value === "number" ? value.toFixed(3) : JSON.stringify(value)}`,
    )
    .join("\n");

function describeReplay({ recorded, replayed }: LawReport): string {
  const kinds = ["clean", "attacked"] as const;
  const rows = kinds.flatMap((kind) => {
    const [theirs, ours] = [recorded[kind], replayed[kind]];
    if (theirs === null || ours === null) return [];
    return [
      ...theirs.honestByRound.map((value, t) => [
        kind,
        `honest, round ${t + 1}`,
        value.toFixed(3),
        ours.honestByRound[t].toFixed(3),
      ]),
      [kind, "final majority", theirs.finalMajority.toFixed(3), ours.finalMajority.toFixed(3)],
    ];
  });
  return consoleTable({
    columns: [
      { title: "debates" },
      { title: "accuracy" },
      { title: "recorded", align: "right" },
      { title: "replayed", align: "right" },
    ],
    rows,
  });
}

function describeConformity({ conformity }: LawReport): string {
  return consoleTable({
    columns: [
      { title: "voices", align: "right" },
      { title: "right", align: "right" },
      { title: "own" },
      { title: "n", align: "right" },
      { title: "recorded", align: "right" },
      { title: "law", align: "right" },
    ],
    rows: conformity.map(({ voices, right, ownRight, n, recorded, predicted }) => [
      String(voices),
      String(right),
      ownRight ? "right" : "wrong",
      String(n),
      recorded === null ? "–" : recorded.toFixed(3),
      predicted.toFixed(3),
    ]),
  });
}
