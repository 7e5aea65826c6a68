interface KnownService {
  readonly name: string
  readonly port: number
  /** Process names that identify the product on any port. */
  readonly process?: RegExp
  /** Process names that identify the product only on its default port. */
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

/** Process names that identify no product. PyTorch renames the process that imports it. */
const interpreters = /^(pt_main_thread$|python|node|ruby|java|uvicorn|gunicorn|docker-proxy|uv$)/

/** Returns the product by its process; otherwise by its port, unless the process belongs to another program. Pure. */
export function serviceName(port: number, process: string | null): string | null {
  const byProcess =
    process === null ? undefined : knownServices.find((service) => service.process?.test(process))
  if (byProcess) return byProcess.name
  const byPort = knownServices.find((service) => service.port === port)
  if (process !== null && !interpreters.test(process) && !byPort?.titles?.test(process)) return null
  return byPort?.name ?? null
}
