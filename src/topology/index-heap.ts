/** A binary heap of agent indices that gives back the lowest first. */
export interface IndexHeap {
  push(index: number): void;
  /** The lowest index; -1 when empty. */
  pop(): number;
}

/** @param capacity the most indices it holds at one time */
export function createIndexHeap(capacity: number): IndexHeap {
  const heap = new Int32Array(capacity);
  let size = 0;
  return {
    push(index) {
      let at = size++;
      for (let parent = (at - 1) >> 1; at > 0 && heap[parent] > index; parent = (at - 1) >> 1) {
        heap[at] = heap[parent];
        at = parent;
      }
      heap[at] = index;
    },
    pop() {
      if (size === 0) return -1;
      const lowest = heap[0];
      const moved = heap[--size];
      let at = 0;
      for (let child = 1; child < size; child = 2 * at + 1) {
        if (child + 1 < size && heap[child + 1] < heap[child]) child++;
        if (heap[child] >= moved) break;
        heap[at] = heap[child];
        at = child;
      }
      heap[at] = moved;
      return lowest;
    },
  };
}
