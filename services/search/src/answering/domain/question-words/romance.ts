// Romance languages. See index.ts.

export const french = `
  où quand comment combien pourquoi quoi lequel laquelle lesquels lesquelles quel quelle quels quelles beaucoup plus moins souvent
  toujours jamais déjà encore trouve trouver trouvent trouvé situe situé situer reste rester met mettre mis tient tenir tenu coûte coûter
  coûtent coût dure durer durée commence commencer commencé début débuter débute finit finir fini fin termine terminer terminé vaut valoir
  faut falloir fait faire font fit va vont aller vient venir venu prend prendre pris peut peuvent pouvoir doit doivent devoir dit dire
  donne donner donné reçoit recevoir reçu obtient obtenir obtenu appelle appeler nomme nommer signifie signifier sert servir utilise
  utiliser utilisé emploie ouvre ouvrir ouvert ferme fermer fermé paie payer payé achète acheter acheté vend vendre vendu commande
  commander livre livrer livré envoie envoyer envoyé dirige diriger dirigé gère gérer gagne gagner gagné change changer changé arrive
  arriver passe passer passé marche fonctionne fonctionner travaille travailler habite habiter vit vivre vécu meurt mourir mort né naître
  construit construire invente inventer inventé découvre découvrir découvert fondé fonder créé créer écrit écrire lit lire lu parle parler
  sait savoir connaît connaître connu contient contenir contenu appartient appartenir garde garder gardé conserve conserver conservé range
  ranger rangé stocke stocker stocké entrepose entreposé dépose déposé permet permettre permis interdit annule annuler résilier résilié
  atteint atteindre montre montrer devient devenir compte compter produit produire responsable possible important nécessaire disponible
  grand grande petit petite taille long longue longueur court haut haute hauteur profond lourd poids vieux vieil âge nouveau nouvel bon
  meilleur premier dernier prochain temps an année mois semaine jour heure minute date nom numéro nombre lieu endroit place sorte type
  façon manière raison but partie chose personne gens homme femme enfant maison monde pays ville question réponse exemple problème cas
  prix montant valeur quantité degré couleur
`;

export const spanish = `
  dónde cuándo cómo cuánto cuánta cuántos cuántas cuál cuáles quién quiénes qué mucho muchos más menos siempre nunca ya todavía encuentra
  encontrar encontrado está queda quedar ubicado ubica sitúa situado pone poner puesto cuesta cuestan costar costó dura durar duración
  empieza empezar comienza comenzar inicia iniciar inicio termina terminar acaba acabar fin vale valer hay hace hacer hecho hizo va ir
  viene venir toma tomar puede pueden poder debe deber dice decir dicho dijo da dar dado recibe recibir recibido obtiene obtener llama
  llamar nombra significa significar sirve servir usa usar usado utiliza utilizar abre abrir abierto cierra cerrar cerrado paga pagar
  pagado compra comprar vende vender vendido pide pedir entrega entregar dirige dirigir gana ganar ganado cambia cambiar llega llegar pasa
  pasar ocurre ocurrir funciona funcionar trabaja trabajar vive vivir murió morir nació nacer nacido construyó construir construido
  inventó inventar descubrió descubrir fundó fundar creó crear escribió escribir escrito lee leer habla hablar sabe saber conoce conocer
  contiene contener pertenece pertenecer guarda guardar guardado conserva conservar almacena almacenar almacenado mantiene mantener
  permite permitir permitido prohibido cancela cancelar necesita necesitar necesario alcanza muestra mostrar responsable posible
  importante disponible grande pequeño tamaño largo corto alto altura profundo pesa peso viejo edad nuevo bueno mejor primero último
  próximo tiempo año mes semana día hora minuto fecha nombre número lugar sitio tipo forma manera razón motivo parte cosa persona gente
  hombre mujer niño casa mundo país ciudad pregunta respuesta ejemplo problema caso precio importe valor cantidad color
`;

export const italian = `
  dove quando come quanto quanta quanti quante quale quali perché chi cosa molto molti più meno sempre mai già ancora trova trovare
  trovato situato resta restare mette mettere messo costa costano costare costo dura durare durata comincia cominciare inizia iniziare
  inizio finisce finire fine termina terminare vale valere fa fare fatto va andare viene venire venuto prende prendere preso può possono
  potere deve dovere dice dire detto dà dare dato riceve ricevere ricevuto ottiene ottenere chiama chiamare significa significare serve
  servire usa usare usato utilizza utilizzare apre aprire aperto chiude chiudere chiuso paga pagare pagato compra comprare vende vendere
  venduto ordina ordinare consegna consegnare invia inviare inviato dirige dirigere vince vincere vinto cambia cambiare arriva arrivare
  succede succedere accade funziona funzionare lavora lavorare vive vivere abita abitare morì morire morto nato nascere costruì costruire
  costruito inventò inventare inventato scoprì scoprire scoperto fondò fondare creò creare scrisse scrivere scritto legge leggere parla
  parlare sa sapere conosce conoscere contiene contenere appartiene custodito custodire conserva conservare conservato tiene tenere tenuto
  permette permettere permesso vietato annulla annullare disdire bisogna necessario raggiunge mostra mostrare responsabile possibile
  importante disponibile grande piccolo dimensione lungo lunghezza corto alto altezza profondo pesa peso vecchio età nuovo buono migliore
  primo ultimo prossimo tempo anno mese settimana giorno ora minuto data nome numero luogo posto tipo modo maniera ragione motivo parte
  persona gente uomo donna bambino casa mondo paese città domanda risposta esempio problema caso prezzo importo valore quantità colore
`;

export const portuguese = `
  onde quando como quanto quanta quantos quantas qual quais quem porque quê muito muitos mais menos sempre nunca já ainda encontra
  encontrar encontrado fica ficar situado localizado põe pôr colocar custa custam custar custo dura durar duração começa começar inicia
  iniciar início termina terminar acaba acabar fim vale valer há faz fazer feito fez vai ir vem vir toma tomar pode podem poder deve dever
  diz dizer dito disse dá dar dado recebe receber recebido obtém obter chama chamar significa significar serve servir usa usar usado
  utiliza utilizar abre abrir aberto fecha fechar fechado paga pagar pago compra comprar vende vender vendido pede pedir entrega entregar
  envia enviar enviado dirige dirigir ganha ganhar ganhou muda mudar chega chegar acontece acontecer ocorre funciona funcionar trabalha
  trabalhar vive viver mora morar morreu morrer nasceu nascer nascido construiu construir construído inventou inventar descobriu descobrir
  fundou fundar criou criar escreveu escrever escrito lê ler fala falar sabe saber conhece conhecer contém conter pertence pertencer
  guarda guardar guardado conserva conservar armazena armazenar armazenado mantém manter mantido permite permitir permitido proibido
  cancela cancelar precisa precisar necessário alcança mostra mostrar responsável possível importante disponível grande pequeno tamanho
  longo comprimento curto alto altura fundo pesa peso velho idade novo bom melhor primeiro último próximo tempo ano mês semana dia hora
  minuto data nome número lugar sítio local tipo forma maneira razão motivo parte coisa pessoa gente homem mulher criança casa mundo país
  cidade pergunta resposta exemplo problema caso preço valor quantidade cor
`;

export const romanian = `
  unde când cum cât câtă câți câte cine care cui ceea mult mulți mereu niciodată află afla găsește găsi găsit rămâne rămas pune pus costă
  costa durează dura începe începea început termină termina sfârșește sfârșit valabil face făcut făcea merge vine venit ia lua luat poate
  pot putea trebuie spune spus dă dat primește primi primit obține cheamă numește înseamnă servește folosește folosi folosit utilizează
  conduce deschide deschis închide închis plătește plăti plătit cumpără cumpăra vinde vândut comandă trimite trimis schimbă schimba ajunge
  întâmplă funcționează lucrează trăiește locuiește murit născut construit inventat descoperit fondat creat scris scrie citește vorbește
  știe cunoaște conține aparține păstrează păstra păstrat depozitat ține ținut permite permis interzis anula anulează necesar arată
  responsabil posibil important disponibil mare mic lung lungime scurt înalt înălțime adânc vechi vârstă nou bun primul ultimul următor
  timp an ani lună săptămână zi oră minut data nume număr loc fel mod motiv parte lucru persoană oameni om bărbat femeie copil casă lume
  țară oraș întrebare răspuns exemplu problemă caz preț sumă valoare cantitate culoare
`;
