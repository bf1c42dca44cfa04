# What R gives for the data of r_packages.json: Rscript in_r.R r_packages.json prints them again, on one line, with the
# values, the calls as they stand here, and the versions. test_oracle_r.py puts the values to ours.
suppressPackageStartupMessages({
  library(coin); library(multcomp); library(survey); library(lmerTest); library(clubSandwich); library(jsonlite)
})
file <- commandArgs(TRUE)[1]
data <- read_json(file, simplifyVector = TRUE)$data
attach(data)
values <- list()
keep <- function(name, package, call) {
  said <- paste(trimws(deparse(substitute(call), width.cutoff = 500)), collapse = " ")
  values[[name]] <<- list(package = package, call = said, value = as.list(call))
}
of_test <- function(found, ...) {
  kept <- list(statistic = unname(found$statistic), df = unname(found$parameter), p = found$p.value,
               ci = as.numeric(found$conf.int), ...)
  kept[lengths(kept) > 0]
}
SIDES <- c("two.sided", "greater", "less")
sided <- function(f) setNames(lapply(SIDES, f), SIDES)
exact <- function(found) as.numeric(pvalue(found))

# pairs
keep("t_paired", "stats", sided(\(s) of_test(t.test(new, base, paired = TRUE, alternative = s))))
keep("signed_ranks_exact", "stats", sided(\(s) of_test(wilcox.test(new, base, paired = TRUE, exact = TRUE, alternative = s))))
keep("signed_ranks_normal", "stats", sided(\(s) of_test(wilcox.test(new, base, paired = TRUE, exact = FALSE, correct = FALSE, alternative = s))))
keep("signed_ranks_normal_cc", "stats", sided(\(s) of_test(wilcox.test(new, base, paired = TRUE, exact = FALSE, correct = TRUE, alternative = s))))
signed <- \(zeros, law) sided(\(s) list(p = exact(wilcoxsign_test(tied_new ~ tied_base, zero.method = zeros, distribution = law, alternative = s))))
keep("signed_ranks_drop_exact", "coin", signed("Wilcoxon", "exact"))
keep("signed_ranks_pratt_exact", "coin", signed("Pratt", "exact"))
keep("signed_ranks_drop_normal", "coin", signed("Wilcoxon", "asymptotic"))
keep("signed_ranks_pratt_normal", "coin", signed("Pratt", "asymptotic"))
n <- length(tied_new)
long <- data.frame(y = c(tied_new, tied_base), s = factor(rep(c("new", "base"), each = n), c("new", "base")), i = factor(rep(1:n, 2)))
set.seed(1)
keep("symmetry", "coin", sided(\(s) list(p = exact(symmetry_test(y ~ s | i, data = long, distribution = approximate(1e5), alternative = s)))))
mcnemar <- \(correct) of_test(mcnemar.test(discordant, correct = correct))
keep("mcnemar", "stats", mcnemar(FALSE))
keep("mcnemar_cc", "stats", mcnemar(TRUE))
keep("binomial", "stats", sided(\(s) list(p = binom.test(discordant[1, 2], discordant[1, 2] + discordant[2, 1], alternative = s)$p.value)))

# proportions of one system, and of two that share no items
keep("share", "stats", list(
  clopper_pearson = as.numeric(binom.test(right, of)$conf.int),
  wilson = as.numeric(prop.test(right, of, correct = FALSE)$conf.int),
  wilson_cc = as.numeric(prop.test(right, of, correct = TRUE)$conf.int)
))
two <- cbind(c(sum(x01), sum(y01)), c(sum(1 - x01), sum(1 - y01)))
keep("fisher", "stats", sided(\(s) list(p = fisher.test(two, alternative = s)$p.value)))
keep("two_proportions", "stats", list(plain = of_test(prop.test(two, correct = FALSE)), yates = of_test(prop.test(two, correct = TRUE))))

# independent samples
both <- data.frame(y = c(u, w), s = factor(rep(c("u", "w"), c(length(u), length(w)))))
keep("welch", "stats", sided(\(s) of_test(t.test(u, w, alternative = s))))
keep("student", "stats", sided(\(s) of_test(t.test(u, w, var.equal = TRUE, alternative = s))))
keep("permutation", "coin", sided(\(s) list(p = exact(oneway_test(y ~ s, data = both, distribution = "exact", alternative = s)))))
keep("independence", "coin", sided(\(s) list(p = exact(independence_test(y ~ s, data = both, distribution = "exact", alternative = s)))))
keep("rank_sums_exact", "coin", sided(\(s) list(p = exact(wilcox_test(y ~ s, data = both, distribution = "exact", alternative = s)))))
keep("rank_sums_normal", "coin", sided(\(s) list(p = exact(wilcox_test(y ~ s, data = both, alternative = s)))))
keep("rank_sums_normal_cc", "stats", sided(\(s) list(p = wilcox.test(u, w, exact = FALSE, correct = TRUE, alternative = s)$p.value)))

# several systems
values_of <- unlist(groups)
system <- factor(rep(names(groups), lengths(groups)))
keep("anova", "stats", of_test(oneway.test(values_of ~ system, var.equal = TRUE)))
keep("welch_anova", "stats", of_test(oneway.test(values_of ~ system)))
keep("kruskal_wallis", "stats", of_test(kruskal.test(groups)))
keep("friedman", "stats", of_test(friedman.test(as.matrix(as.data.frame(blocks)))))
set.seed(1)
joint <- function(law) {
  single <- summary(law, test = adjusted("single-step", maxpts = 2e5, abseps = 1e-5))$test
  ends <- confint(law)$confint
  lapply(setNames(seq_along(single$coefficients), sub(" - ", "-", names(single$coefficients))), \(k) list(
    gain = unname(single$coefficients[k]), se = unname(single$sigma[k]), t = unname(single$tstat[k]),
    p = single$pvalues[k], ci = unname(ends[k, 2:3])))
}
equal <- data.frame(y = unlist(even), s = factor(rep(names(even), lengths(even))))
keep("tukey_even", "multcomp", joint(glht(lm(y ~ s, equal), linfct = mcp(s = "Tukey"))))
keep("dunnett_even", "multcomp", joint(glht(lm(y ~ s, equal), linfct = mcp(s = "Dunnett"))))
uneven <- data.frame(y = values_of, s = system)
keep("tukey_uneven", "multcomp", joint(glht(lm(y ~ s, uneven), linfct = mcp(s = "Tukey"))))
keep("tukey_hsd_uneven", "stats", split(TukeyHSD(aov(y ~ s, uneven))$s[, c("lwr", "upr", "p adj")], 1:3) |> lapply(\(v) list(ci = v[1:2], p = v[3])) |> setNames(c("q-p", "r-p", "r-q")))
gains <- sapply(family[-1], \(v) v - family[[1]])
keep("paired_family", "multcomp", joint(glht(parm(colMeans(gains), cov(gains) / nrow(gains), df = nrow(gains) - 1))))
set.seed(1)
m <- as.data.frame(metrics)
m$s <- factor(rep(c("new", "base"), each = nrow(m) / 2), c("new", "base"))
m$i <- factor(rep(1:(nrow(m) / 2), 2))
keep("max_t_of_metrics", "coin", {
  law <- symmetry_test(m1 + m2 + m3 ~ s | i, data = m, distribution = approximate(1e5))
  list(t = as.numeric(statistic(law, "standardized")), global = exact(law), draws = 1e5,
       single_step = as.numeric(pvalue(law, "single-step")), step_down = as.numeric(pvalue(law, "step-down")))
})

# corrections and power
raw <- as.numeric(sapply(family[-1], \(v) t.test(v, family[[1]], paired = TRUE)$p.value))
keep("adjusted", "stats", c(list(raw = raw), sapply(c("bonferroni", "holm", "hochberg", "hommel", "BH", "BY"), \(how) p.adjust(raw, how), simplify = FALSE)))
keep("power_t", "stats", list(
  power = power.t.test(n = 50, delta = 0.2, sd = 0.5, type = "paired")$power,
  power_strict = power.t.test(n = 50, delta = 0.2, sd = 0.5, type = "paired", strict = TRUE)$power,
  power_one_sided = power.t.test(n = 50, delta = 0.2, sd = 0.5, type = "paired", alternative = "one.sided")$power,
  power_two_samples = power.t.test(n = 50, delta = 0.2, sd = 0.5)$power,
  n = power.t.test(delta = 0.2, sd = 0.5, power = 0.8, type = "paired", tol = 1e-10)$n
))
keep("power_prop", "stats", list(
  power = power.prop.test(n = 300, p1 = 0.7, p2 = 0.8)$power,
  power_strict = power.prop.test(n = 300, p1 = 0.7, p2 = 0.8, strict = TRUE)$power,
  n = power.prop.test(p1 = 0.7, p2 = 0.8, power = 0.8, tol = 1e-10)$n
))

# clusters
cr2 <- function(y, g) {
  fit <- lm(y ~ 1)
  found <- coef_test(fit, vcov = "CR2", cluster = g)
  ends <- conf_int(fit, vcov = "CR2", cluster = g)
  list(gain = found$beta, se = found$SE, t = found$tstat, df = found$df_Satt, p = found$p_Satt, ci = c(ends$CI_L, ends$CI_U))
}
keep("cr2", "clubSandwich", cr2(gain, document))
keep("cr2_share", "clubSandwich", cr2(answers, document))
shares <- \(y, g) sapply(c("logit", "beta", "likelihood"), \(how) {
  d <- svydesign(ids = ~g, weights = ~1, data = data.frame(y = y, g = g))
  as.numeric(confint(svyciprop(~y, d, method = how, df = degf(d))))
}, simplify = FALSE)
keep("share_uneven_clusters", "survey", shares(answers, document))
keep("share_even_clusters", "survey", shares(even_answers, rep(seq_len(length(even_answers) / 10), each = 10)))
keep("share_no_clusters", "survey", shares(answers, seq_along(answers)))
ratio <- \(g) {
  d <- svydesign(ids = ~g, weights = ~1, data = data.frame(num, den, g))
  found <- svyratio(~num, ~den, d)
  list(ratio = as.numeric(coef(found)), ci = as.numeric(confint(found, df = degf(d))))
}
keep("ratio", "survey", list(items = ratio(seq_along(num)), clusters = ratio(document)))

# runs and items
crossed <- function(scores, formula) {
  runs <- lapply(scores, as.matrix)
  table <- do.call(rbind, lapply(names(runs), \(s) data.frame(
    score = as.numeric(runs[[s]]), system = s, run = as.numeric(row(runs[[s]])), item = as.numeric(col(runs[[s]])))))
  table <- transform(table, system = factor(system, names(runs)), run = factor(run), item = factor(item))
  fit <- lmer(formula, table, control = lmerControl(optCtrl = list(maxfun = 1e5, ftol_abs = 1e-14, xtol_abs = 1e-12)))
  found <- coef(summary(fit))[2, ]
  parts <- as.data.frame(VarCorr(fit))
  list(gain = found[["Estimate"]], se = found[["Std. Error"]], df = found[["df"]], t = found[["t value"]],
       p = found[["Pr(>|t|)"]], variances = setNames(as.list(parts$vcov), parts$grp))
}
keep("lmer", "lmerTest", crossed(runs, score ~ system + (1 | item) + (1 | system:run)))
keep("lmer_interaction", "lmerTest", crossed(runs, score ~ system + (1 | item) + (1 | system:item) + (1 | system:run)))

versions <- sapply(c("stats", "coin", "multcomp", "survey", "lmerTest", "clubSandwich"), \(p) as.character(packageVersion(p)))
cat(toJSON(list(computed_by = c(list(R = as.character(getRversion())), as.list(versions)), data = data, values = values),
           auto_unbox = TRUE, digits = NA, null = "null"), "\n")
