/** A product that people reach through a tunnel. */
interface KnownService {
  readonly name: string
  /** Its default port. */
  readonly port: number
  /** Names of its process, where those say more than the port. */
  readonly process?: RegExp
  /** Names that its process has too, and that alone say nothing. */
  readonly titles?: RegExp
}

const knownServices: readonly KnownService[] = [
  { name: 'Jupyter', port: 8888, process: /^jupyter/ },
  { name: 'TensorBoard', port: 6006, process: /^tensorboard/ },
  { name: 'vLLM', port: 8000, process: /^vllm/i },
  { name: 'Ray', port: 8265, titles: /^(ray::|gcs_server$|ray-dashboard$|dashboard$)/ },
  { name: 'Gradio', port: 7860 },
  { name: 'Streamlit', port: 8501, process: /^streamlit/ },
  { name: 'code-server', port: 8080, process: /^code-server/ },
  { name: 'Grafana', port: 3000, process: /^grafana/ },
  { name: 'Prometheus', port: 9090, process: /^prometheus/ },
  { name: 'Ollama', port: 11434, process: /^ollama/ },
  { name: 'MLflow', port: 5000, process: /^mlflow/ },
  { name: 'ComfyUI', port: 8188 },
  { name: 'Triton', port: 8001, process: /^tritonserver/ },
  { name: 'RStudio', port: 8787, process: /^rserver/ },
]

/** Programs that run any of them: their name says nothing. PyTorch renames the process that imports it. */
const interpreters = /^(pt_main_thread$|python|node|ruby|java|uvicorn|gunicorn|docker-proxy|uv$)/

/** The product that listens: by its process, else by its port unless the process is another one. Pure. */
export function serviceName(port: number, process: string | null): string | null {
  const own = process === null ? undefined : knownServices.find((one) => one.process?.test(process))
  if (own) return own.name
  const byPort = knownServices.find((one) => one.port === port)
  if (process !== null && !interpreters.test(process) && !byPort?.titles?.test(process)) return null
  return byPort?.name ?? null
}
