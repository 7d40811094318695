/** Machines that costs were measured on, in words. */

const GIB = 1024 ** 3;

/** "AMD EPYC, 2 cores, 24 GiB; 1 thread and 4 GiB for the model". Empty if it is not described. */
export function machineWords(hardware: unknown): string {
  const granted = grantedWords(fieldsOf(fieldsOf(hardware).limits));
  return machineName(hardware) + (granted ? `; ${granted} for the model` : "");
}

/** "AMD EPYC, 2 cores, 24 GiB", and its graphics cards. */
export function machineName(hardware: unknown): string {
  const { cpu, cores, memory_gib, gpus } = fieldsOf(hardware);
  const parts = [
    typeof cpu === "string" && cpu,
    isNumber(cores) && `${cores} ${cores === 1 ? "core" : "cores"}`,
    isNumber(memory_gib) && `${memory_gib} GiB`,
    Array.isArray(gpus) && gpus.join(", "),
  ];
  return parts.filter(Boolean).join(", ");
}

function grantedWords({ threads, memory_bytes }: Fields): string {
  const granted = [
    isNumber(threads) && `${threads} ${threads === 1 ? "thread" : "threads"}`,
    isNumber(memory_bytes) && `${Math.round((memory_bytes / GIB) * 10) / 10} GiB`,
  ];
  return granted.filter(Boolean).join(" and ");
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
