import type { Translation } from '../translation'
import type { exports as english } from '../en/exports'

export const exports: Translation<typeof english> = {
  action: 'Exportar',
  menu: 'Exportar como: {what}',
  formats: { csv: 'CSV, para hojas de cálculo', json: 'JSON, para programas' },
  choosing: 'Elige dónde guardar…',
  progress: '{done} de {total} filas',
  progressOpen: '{done} filas hasta ahora',
  cancel: 'Cancelar la exportación',
  saved: 'Se guardó {count} fila como {file} | Se guardaron {count} filas como {file}',
  savedIncomplete:
    'Se guardaron {count} filas como {file}. La lista cambió durante la exportación, así que pueden faltar filas. Expórtala de nuevo.',
  leftOut: '{count} registro ilegible excluido de {file} | {count} registros ilegibles excluidos de {file}',
  report: 'Informe',
  reportHint: 'PDF mensual de una página',
  reportOf: 'Mes',
  savedReport: 'Se guardó {file}',
  showInFolder: 'Mostrar en la carpeta',
  /** The monthly report. */
  page: {
    title: 'Gasto de {month}',
    account: 'Cuenta: {account}',
    made: 'Creado por Wheelhouse el {date}',
    sandbox: 'Entorno de pruebas: no es dinero real.',
    total: 'Total',
    soFar: 'Hasta ahora',
    charged: 'cobrados',
    estimated: 'estimados',
    forecast: 'Previsión del mes',
    forecastNote:
      'si {count} recurso activo sigue costando {rate} por hora | si los {count} recursos activos siguen costando {rate} por hora',
    unknown: 'Desconocido',
    forecastUnpriced:
      'el precio de {count} recurso activo es desconocido | el precio de {count} recursos activos es desconocido',
    forecastUncounted: '{assumption}, sin contar {count} de precio desconocido',
    forecastNothing: 'si no se inicia nada más',
    perDay: 'Por día, en {currency}',
    charts: { charged: 'Cobrado', estimated: 'Estimado, aún sin cobrar' },
    nothing: 'Sin gastos este mes.',
    byType: 'Por tipo',
    types: { vm: 'Máquinas', 'bare-metal': 'Bare metal', volume: 'Volúmenes' },
    byGpu: 'Por modelo de GPU',
    noGpu: 'Sin GPU',
    unknownGpu: 'GPU desconocida',
    others: 'Otros',
    gpuHours: '{hours} horas de GPU',
    top: 'Lo más caro',
    columns: { name: 'Recurso', gpu: 'GPU', hours: 'Horas', cost: 'Costo' },
    moreNote: 'Otros recursos ({count}): {amount} en total.',
    notes: 'Cómo se calcula',
    noteDays: 'Los días y meses están en la zona horaria {zone}.',
    noteCharged:
      'Los importes cobrados proceden de los extractos del servicio, repartidos en el tiempo que cubre cada uno. Los importes estimados aplican la tarifa por minuto al tiempo que aún no cubre ningún extracto.',
    noteAssumed: 'Moneda no indicada; se muestra {currency}. Las monedas distintas nunca se suman entre sí.',
    noteReported:
      'Las monedas son las que indica el servicio. Las monedas distintas nunca se suman entre sí.',
    notePartial:
      'Algunos extractos no estaban cargados cuando se creó este informe. Los costos anteriores pueden estar incompletos.',
    noteNone:
      'No hay extractos guardados en este equipo. Todos los importes se estiman a partir del consumo.',
  },
}
