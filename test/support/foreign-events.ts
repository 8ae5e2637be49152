import protobuf from "protobufjs";
import tfrecord from "tfrecord";

/** The parts of TensorFlow's event.proto and summary.proto that event files of scalars use, as they were published. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  package tensorflow;
  message Summary {
    message Value {
      string node_name = 7;
      string tag = 1;
      oneof value { float simple_value = 2; }
    }
    repeated Value value = 1;
  }
  message SessionLog {
    enum SessionStatus { STATUS_UNSPECIFIED = 0; START = 1; STOP = 2; CHECKPOINT = 3; }
    SessionStatus status = 1;
    string checkpoint_path = 2;
    string msg = 3;
  }
  message Event {
    double wall_time = 1;
    int64 step = 2;
    oneof what {
      string file_version = 3;
      bytes graph_def = 4;
      Summary summary = 5;
      SessionLog session_log = 7;
      bytes meta_graph_def = 9;
    }
  }
`);
const eventType = root.lookupType("tensorflow.Event");

export interface ForeignEvent {
  readonly wallTime: number;
  readonly step: number;
  readonly fileVersion?: string;
  readonly summary?: { readonly value: readonly { readonly tag: string; readonly simpleValue: number }[] };
  readonly sessionLog?: { readonly status: string };
}

/**
 * Reads an event file with code of others: the package `tfrecord` takes it apart and checks both sums of every record,
 * `protobufjs` decodes what is in them.
 * @throws Error where a record is damaged or cut off
 */
export async function readForeign(path: string): Promise<ForeignEvent[]> {
  const reader = await tfrecord.RecordReader.create(path);
  try {
    const events: ForeignEvent[] = [];
    for (let record = await reader.readRecord(); record !== null; record = await reader.readRecord()) {
      const event = eventType.decode(record.slice());
      events.push(eventType.toObject(event, { longs: Number, enums: String, defaults: true }) as ForeignEvent);
    }
    return events;
  } finally {
    await reader.close();
  }
}
